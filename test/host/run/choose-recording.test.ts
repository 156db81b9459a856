import {expect, it, vi} from 'vitest';

const folders = ['/home/a', '/home/b'].map(fsPath => ({uri: {fsPath, scheme: 'file'}}));
const asked = vi.fn();
const editor = (fsPath: string, languageId = 'python') => ({document: {uri: {scheme: 'file', fsPath}, languageId}});
const window = {
  activeTextEditor: undefined as unknown,
  onDidChangeTextEditorSelection: () => ({dispose: () => undefined}),
  createQuickPick: () => {
    let accept = () => undefined;
    return {
      items: [],
      selectedItems: [],
      onDidTriggerButton: () => undefined,
      onDidAccept: (then: () => undefined) => (accept = then),
      onDidHide: () => undefined,
      show: () => accept(),
      dispose: () => undefined,
    };
  },
};
vi.mock('vscode', async () => ({
  ...(await import('../../support/vscode-stand-in.js')),
  ThemeIcon: vi.fn(),
  ConfigurationTarget: {Workspace: 2},
  window,
  workspace: {
    workspaceFolders: folders,
    getWorkspaceFolder: ({fsPath}: {fsPath: string}) => folders.find(({uri}) => fsPath.startsWith(uri.fsPath)),
    asRelativePath: ({fsPath}: {fsPath: string}) => fsPath.replace(/^\/home\//, ''),
    getConfiguration: (_: string, scope: unknown) => {
      asked(scope);
      return {get: () => undefined, update: () => Promise.resolve(), inspect: () => undefined};
    },
  },
}));
vi.mock('../../../src/host/base/settings.js', () => ({
  section: 'gpuLens',
  readSettings: (scope: unknown) => {
    asked(scope);
    return {recording: {}};
  },
}));
const {chooseRecordingCommand} = await import('../../../src/host/commands/choose-recording.js');

it.each([
  ['/home/b/sub/train.py', 'python', 1, ['b/sub/train.py']],
  ['/home/b/notes.md', 'markdown', 0, []],
  ['/elsewhere/train.py', 'python', 0, ['/elsewhere/train.py']],
])(
  '"Choose what to record" with %s in the editor is of its folder, else of the first',
  async (path, language, at, names) => {
    asked.mockClear();
    window.activeTextEditor = editor(path, language);
    const of = vi.fn(() => null);
    await chooseRecordingCommand({costs: {of}, lastRun: {plan: null}} as never)();
    expect(asked.mock.calls.length).toBeGreaterThan(1);
    for (const [scope] of asked.mock.calls) expect(scope).toBe(folders[at]?.uri);
    expect(of).toHaveBeenCalledWith(names);
  },
);
