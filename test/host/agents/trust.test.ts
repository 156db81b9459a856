import {beforeEach, expect, it, vi} from 'vitest';

interface Tool {
  readonly invoke: (call: {input: Readonly<Record<string, unknown>>}, token: unknown) => Promise<unknown>;
}
interface Servers {
  readonly provideMcpServerDefinitions: () => unknown[];
  readonly resolveMcpServerDefinition: (server: object) => Promise<unknown>;
}

const tools = new Map<string, Tool>();
const servers: Servers[] = [];
const state = {isTrusted: false};

vi.mock('vscode', async () => {
  const {Disposable, EventEmitter, l10n, MarkdownString, settings, Uri, workspace} =
    await import('../../support/vscode-stand-in.js');
  const event = () => new Disposable(() => undefined);
  return {
    ...{Disposable, EventEmitter, l10n, MarkdownString, settings, Uri},
    McpStdioServerDefinition: class {
      constructor(
        readonly label: string,
        readonly command: string,
        readonly args: readonly string[],
      ) {}
    },
    extensions: {getExtension: () => undefined},
    lm: {
      registerTool: (name: string, tool: Tool) => {
        tools.set(name, tool);
        return event();
      },
      registerMcpServerDefinitionProvider: (_id: string, provider: Servers) => {
        servers.push(provider);
        return event();
      },
    },
    workspace: {
      ...workspace,
      workspaceFolders: [{uri: {scheme: 'file', fsPath: '/work space'}}],
      get isTrusted() {
        return state.isTrusted;
      },
      onDidGrantWorkspaceTrust: event,
      onDidChangeWorkspaceFolders: event,
      onDidChangeConfiguration: event,
    },
  };
});
const {registerModelTools} = await import('../../../src/host/agents/model-tools.js');
const {offerMcpServer} = await import('../../../src/host/agents/mcp-servers.js');

const languageModelTools = ['profile', 'prove', 'summary'].map(name => ({name: `gpuLens_${name}`, displayName: name}));
const context = {
  extensionUri: {fsPath: '/extension', path: '/extension'},
  extension: {packageJSON: {version: '1.0.0', contributes: {languageModelTools}}},
};

beforeEach(() => {
  state.isTrusted = false;
});

it.each(['profile', 'prove'])('the tool %s runs nothing in a workspace that is not trusted', async name => {
  registerModelTools(context as never, {warn: () => undefined} as never);
  const call = tools.get(`gpuLens_${name}`)?.invoke({input: {command: ['python', 'train.py']}}, {});
  await expect(call).rejects.toThrow('GPU Lens runs nothing in a workspace that is not trusted.');
});

it('the server is offered, and started, in a trusted workspace alone', async () => {
  offerMcpServer(context as never);
  const [provider] = servers;
  expect(provider?.provideMcpServerDefinitions()).toEqual([]);
  expect(await provider?.resolveMcpServerDefinition({})).toBeUndefined();
  state.isTrusted = true;
  expect(provider?.provideMcpServerDefinitions()).toMatchObject([{label: 'GPU Lens'}]);
});
