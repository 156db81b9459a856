/**
 * Returns the environment without Electron's `ELECTRON_RUN_AS_NODE` and similar variables, which child processes must
 * not inherit.
 */
export function outerEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => name !== 'ELECTRON_RUN_AS_NODE'));
}
