import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {beforeEach, expect, it, vi} from 'vitest';
import {temporaryFolder} from '../../support/project.js';

const folder = temporaryFolder();
const workspaceFolder = {uri: uriOf(folder), name: 'w', index: 0};
let isTrusted = true;
let files: string[] = [];
const settings = new Map<string, unknown>();
const failures: string[] = [];

/** The part of VS Code that tasks are made with; files are those of a real folder. */
vi.mock('vscode', async () => ({
  l10n: (await import('../../support/vscode-stand-in.js')).l10n,
  Task: class {
    constructor(
      readonly definition: unknown,
      readonly scope: unknown,
      readonly name: string,
      readonly source: string,
      readonly execution: unknown,
      readonly problemMatchers: unknown,
    ) {}
  },
  ProcessExecution: class {
    constructor(
      readonly process: string,
      readonly args: readonly string[],
      readonly options: {readonly cwd: string; readonly env: Readonly<Record<string, string>>},
    ) {}
  },
  TaskScope: {Workspace: 2},
  TaskRevealKind: {Always: 1},
  TaskPanelKind: {Dedicated: 2},
  Uri: {
    joinPath: ({fsPath}: {fsPath: string}, ...parts: string[]) => uriOf(join(fsPath, ...parts)),
    file: uriOf,
  },
  extensions: {getExtension: () => undefined},
  window: {
    showErrorMessage: (text: string) => {
      failures.push(text);
      return Promise.resolve(undefined);
    },
  },
  workspace: {
    get isTrusted() {
      return isTrusted;
    },
    workspaceFolders: [workspaceFolder],
    findFiles: () => Promise.resolve(files.map(file => uriOf(join(folder, file)))),
    getWorkspaceFolder: ({fsPath}: {fsPath: string}) => (fsPath.startsWith(folder) ? workspaceFolder : undefined),
    getConfiguration: () => ({get: (key: string) => settings.get(key)}),
    fs: {readFile: ({fsPath}: {fsPath: string}) => Promise.resolve().then(() => readFileSync(fsPath))},
  },
}));
const {ProfileTaskProvider} = await import('../../../src/host/run/profile-task-provider.js');

const told: string[] = [];
const log = {info: (text: string) => told.push(text), error: () => undefined, warn: () => undefined} as never;
const newProvider = () => new ProfileTaskProvider({extensionUri: uriOf('/ext') as never, messages: '/m'}, log);
let provider = newProvider();
const going = {isCancellationRequested: false} as never;

interface MadeTask {
  readonly detail?: string;
  readonly name: string;
  readonly definition: unknown;
  readonly execution: {
    readonly process: string;
    readonly args: readonly string[];
    readonly options: {readonly cwd: string};
  };
}
const offered = async () => (await provider.provideTasks(going)) as unknown as MadeTask[];

function uriOf(path: string) {
  return {fsPath: path, path, scheme: 'file', toString: () => path};
}

function write(path: string, text: string | Uint8Array): void {
  mkdirSync(dirname(join(folder, path)), {recursive: true});
  writeFileSync(join(folder, path), text);
  files.push(path);
}

const training = 'import torch\nopt = torch.optim.SGD([], 1)\nopt.step()\n';

beforeEach(() => {
  provider = newProvider();
  isTrusted = true;
  files = [];
  told.length = 0;
  settings.clear();
  settings.set('python', process.execPath);
});

it('offers a task for each script that uses torch and does something, and for no other file', async () => {
  write('train.py', training);
  write('src/serve ä.py', 'from torch import nn\nif __name__ == "__main__":\n    nn.Linear(1, 1)\n');
  write('library.py', 'import torch\ndef step():\n    pass\n');
  write('other.py', 'import numpy\nopt.step()\n');
  write('mentions.py', '# import torch\nprint("torch")\nopt.step()\n');
  write('large.py', training + '#'.repeat(300_000));
  write('binary.py', Uint8Array.from([0xff, 0xfe, 0, 1]));
  files.push('gone.py');
  const tasks = await offered();
  expect(tasks.map(({name}) => name)).toEqual(['serve ä.py', 'train.py']);
  expect(tasks.map(({definition}) => definition)).toEqual([
    {type: 'gpu-lens', script: join('src', 'serve ä.py')},
    {type: 'gpu-lens', script: 'train.py'},
  ]);
  const [{execution}] = tasks as [MadeTask];
  // The command line's profile, by an array of arguments and without a shell.
  expect(execution.process).toBe(process.execPath);
  expect(execution.args[1]).toBe('profile');
  expect(execution.args).toEqual(expect.arrayContaining(['--messages=/m', `--root=${folder}`, '--name=serve ä.py']));
  expect(execution.args.slice(execution.args.indexOf('--'))).toEqual([
    '--',
    process.execPath,
    join('src', 'serve ä.py'),
  ]);
  expect(execution.options.cwd).toBe(folder);
});

it('offers no more than twenty, in the order of their paths, and none that is no longer asked for', async () => {
  for (let at = 30; at > 0; at--) write(`s${String(at).padStart(2, '0')}.py`, training);
  const tasks = await offered();
  expect(tasks.map(({name}) => name)).toEqual(
    Array.from({length: 20}, (_, at) => `s${String(at + 1).padStart(2, '0')}.py`),
  );
  // Who misses one learns from the log where to find it; the tasks that are offered say nothing of others.
  expect(tasks.map(({detail}) => detail)).toEqual(Array.from({length: 20}, () => undefined));
  await offered();
  expect(told).toEqual([expect.stringMatching(/^Scripts are offered as tasks up to 20, of 400 Python files/)]);
  expect(await provider.provideTasks({isCancellationRequested: true} as never)).toEqual([]);
});

it('says so, too, where it looks into no more files, and nothing where all are offered', async () => {
  write('train.py', training);
  expect(await offered()).toHaveLength(1);
  expect(told).toEqual([]);
  files.push(...Array.from({length: 400}, (_, at) => `z${String(at)}.py`));
  expect(await offered()).toHaveLength(1);
  expect(told).toEqual([expect.stringContaining('400 Python files')]);
});

it('offers nothing in a workspace that is not trusted', async () => {
  write('train.py', training);
  isTrusted = false;
  expect(await offered()).toEqual([]);
});

it('offers scripts also where no interpreter is found: the task says so when it is run', async () => {
  write('train.py', training);
  settings.set('python', '/no/python');
  const [{execution}] = (await offered()) as [MadeTask];
  expect(execution.args.slice(execution.args.indexOf('--'))).toEqual([
    '--',
    expect.stringMatching(/^python3?$/),
    'train.py',
  ]);
});

it('resolves a task of tasks.json as the object that it was, and says what is wrong with one that cannot be', async () => {
  const definition = {type: 'gpu-lens', script: 'train.py', profiler: 'nsys', active: 2};
  const task = {definition, scope: workspaceFolder, name: 'mine'} as never;
  const resolved = (await provider.resolveTask(task)) as unknown as MadeTask;
  expect(resolved.definition).toBe(definition);
  expect(resolved.name).toBe('mine');
  expect(resolved.execution.args).toEqual(expect.arrayContaining(['--profiler=nsys', '--active=2']));
  const broken = {
    definition: {type: 'gpu-lens', script: 'a.py', envFile: '/no/such.env'},
    scope: workspaceFolder,
    name: '',
  };
  expect(await provider.resolveTask(broken as never)).toBeUndefined();
  expect(failures).toEqual([expect.stringContaining('/no/such.env')]);
});
