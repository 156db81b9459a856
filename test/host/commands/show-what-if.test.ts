import {beforeEach, expect, it, vi} from 'vitest';
import {commands, window} from '../../support/vscode-stand-in.js';

const token = {isCancellationRequested: false, onCancellationRequested: () => ({dispose: () => undefined})};
vi.mock('vscode', async () => {
  const standIn = await import('../../support/vscode-stand-in.js');
  const withProgress = (_: object, task: (progress: object, cancel: object) => unknown) => task({}, token);
  return {...standIn, ProgressLocation: {Notification: 15}, window: {...standIn.window, withProgress}};
});
const {showWhatIfCommand, whatIfRowCommand} = await import('../../../src/host/commands/show-what-if.js');

const run = vi.spyOn(commands, 'executeCommand');
beforeEach(() => {
  run.mockClear();
  window.told.length = 0;
});

it('a row of "Findings" asks about its rule, and one of "Hot Ranges" about its name', async () => {
  await whatIfRowCommand({finding: {rule: 'idle/data-loader'}});
  await whatIfRowCommand({name: 'forward'});
  expect(run.mock.calls).toEqual([
    ['gpuLens.showWhatIf', {rule: 'idle/data-loader'}],
    ['gpuLens.showWhatIf', {names: ['forward']}],
  ]);
});

it('from a key, is about the whole step', async () => {
  await whatIfRowCommand();
  expect(run.mock.calls).toEqual([['gpuLens.showWhatIf']]);
});

it.each([
  {of: 'a rule', subject: {rule: 'x'}, target: {rule: 'x'}},
  {of: 'a name', subject: {names: ['forward']}, target: {name: 'forward'}},
  {of: 'nothing', subject: undefined, target: undefined},
  // VS Code passes it to the button above the view.
  {of: 'the focused finding', subject: {finding: {rule: 'x'}, detail: null}, target: undefined},
  {of: 'the focused range', subject: {at: 0, name: 'forward', isFolded: false}, target: undefined},
])('asks about the subject that is given alone: $of', async ({subject, target}) => {
  const ask = vi.fn(() => Promise.resolve(null));
  const store = {activeOpen: {name: 'run.json', state: {summary: {id: 7}}}};
  const command = showWhatIfCommand({store, engine: {ask}, pages: {}, log: {}} as never);
  await command(subject);
  expect(ask).toHaveBeenCalledWith('what-if', {profile: 7, ...(target && {target})}, expect.anything());
});

it('asks about nothing else in place of a row that VS Code does not know', async () => {
  await whatIfRowCommand(undefined);
  expect(run).not.toHaveBeenCalled();
  expect(window.told).toEqual(['The list was just updated. Choose again.']);
});
