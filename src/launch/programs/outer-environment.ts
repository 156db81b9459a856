/** An environment without what made the editor's own program a Node: that is nothing for those that it starts. */
export function outerEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => name !== 'ELECTRON_RUN_AS_NODE'));
}
