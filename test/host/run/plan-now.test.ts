import {beforeEach, expect, it, vi} from 'vitest';
import type {RunPlan} from '../../../src/host/run/run-plan.js';

const folder = {uri: {fsPath: '/w', toString: () => 'file:///w'}, name: 'w', index: 0};
const configuration = {type: 'debugpy', request: 'launch', name: 'Train', program: '${file}', args: ['--lr', '3']};
const task = {name: 'train', source: 'Workspace', scope: folder, definition: {type: 'gpu-lens', script: 'train.py'}};
const editor = {
  configurations: [] as unknown[],
  tasks: [] as unknown[],
  file: '/w/train.py',
};
const said: string[] = [];

vi.mock('vscode', async () => ({
  l10n: (await import('../../support/vscode-stand-in.js')).l10n,
  window: {
    get activeTextEditor() {
      return {document: {uri: {scheme: 'file', fsPath: editor.file}}};
    },
    showInformationMessage: (text: string) => {
      said.push(text);
      return Promise.resolve(undefined);
    },
  },
  workspace: {
    workspaceFolders: [folder],
    getConfiguration: () => ({get: () => editor.configurations}),
  },
  tasks: {fetchTasks: () => Promise.resolve(editor.tasks)},
  ProcessExecution: vi.fn(),
  ShellExecution: vi.fn(),
}));
const {launchChoices} = await import('../../../src/host/run/choices/launch-choices.js');
const {taskChoices} = await import('../../../src/host/run/choices/task-choices.js');
const {planNow} = await import('../../../src/host/run/choices/plan-now.js');

beforeEach(() => {
  Object.assign(editor, {configurations: [configuration], tasks: [task], file: '/w/train.py'});
  said.length = 0;
});

/** What was chosen, as the workspace keeps it. */
async function chosen(from: 'launch' | 'task'): Promise<RunPlan> {
  const plan = await (from === 'launch' ? launchChoices() : await taskChoices())[0]?.plan?.();
  if (!plan) throw new Error('Nothing can be chosen.');
  return plan;
}

it('planNow() says nothing of what has not changed, whatever file the editor shows now', async () => {
  for (const from of ['launch', 'task'] as const) {
    const plan = await chosen(from);
    editor.file = '/w/other.py';
    expect(await planNow(plan)).toEqual(plan);
  }
  expect(said).toEqual([]);
});

it('planNow() takes what has changed, for the same file, and says so', async () => {
  const [launch, ours] = [await chosen('launch'), await chosen('task')];
  editor.configurations = [{...configuration, args: ['--lr', '4']}];
  editor.tasks = [{...task, definition: {type: 'gpu-lens', script: 'train.py', active: 9}}];
  editor.file = '/w/other.py';
  expect((await planNow(launch)).definition).toMatchObject({script: '/w/train.py', args: ['--lr', '4']});
  expect((await planNow(ours)).definition).toMatchObject({script: 'train.py', active: 9});
  expect(said).toEqual([
    'The launch configuration “Train” has changed. It runs as it says now.',
    'The task “train” has changed. It runs as it says now.',
  ]);
});

it('planNow() says that what is gone, or cannot be run any more, runs as it did', async () => {
  const [launch, ours] = [await chosen('launch'), await chosen('task')];
  editor.configurations = [{...configuration, args: ['${input:lr}']}];
  expect(await planNow(launch)).toEqual(launch);
  Object.assign(editor, {configurations: [], tasks: []});
  expect(await planNow(launch)).toEqual(launch);
  expect(await planNow(ours)).toEqual(ours);
  expect(said.map(text => text.split(': write')[0])).toEqual([
    'The launch configuration “Train” asks for ${input:lr}, which only the debugger can',
    'The launch configuration “Train” is gone. It runs as it did the last time.',
    'The task “train” is gone. It runs as it did the last time.',
  ]);
});
