import {beforeEach, expect, it, vi} from 'vitest';
import type {BudgetResult, WrittenBudget} from '../../../src/core/compare/check-budgets.js';
import {
  DiagnosticSeverity,
  EventEmitter,
  shownDiagnostics,
  TextDocument,
  window,
} from '../../support/vscode-stand-in.js';
import {patience} from '../../support/patience.js';

vi.mock('vscode', () => import('../../support/vscode-stand-in.js'));
const {BudgetProblems} = await import('../../../src/host/budgets/budget-problems.js');

beforeEach(() => {
  shownDiagnostics.clear();
});

function problems(path: string, text: string, answer: (budgets: readonly WrittenBudget[]) => BudgetResult[]) {
  const document = new TextDocument({path, scheme: 'file', fsPath: path}, text);
  window.visibleTextEditors = [{document}];
  const changes = new EventEmitter();
  const profile = {key: 1, path: '/elsewhere/run.json', state: {summary: {id: 7}, sidecar: null}};
  const store = {activeOpen: profile as object | null, onDidChange: changes.event};
  const asked: unknown[] = [];
  const ask = (method: string, params: {budgets: readonly WrittenBudget[]; base: unknown}) => {
    asked.push([method, params]);
    return Promise.resolve(answer(params.budgets));
  };
  const history = {runs: () => Promise.resolve([]), onDidChange: new EventEmitter().event};
  const parts = [store, {ask}, history, {warn: () => undefined}];
  const shown = new (BudgetProblems as new (...all: unknown[]) => InstanceType<typeof BudgetProblems>)(...parts);
  return {shown, document, changes, store, asked};
}

const broken = ({text, place}: WrittenBudget): BudgetResult => ({
  ...{budget: text, place, verdict: 'broken', text: '13.0 ms a step; the budget is 12.0 ms a step.'},
});

it('are on the comments that state them: broken as errors, what cannot be told as warnings, what holds not at all', async () => {
  const source = [
    'with record_function("attention"):  # gpu: <= 12 ms/step',
    '    pass  # gpu: mlp no slower than main by 5 %',
    '# gpu: norm <= 1 ms/step',
  ].join('\n');
  const {shown, document, asked, store, changes} = problems('/w/train.py', source, ([first, second, third]) => {
    if (!first || !second || !third) return [];
    return [
      broken(first),
      {...broken(second), verdict: 'cannot tell', text: 'The runs are not comparable.'},
      {...broken(third), verdict: 'holds'},
    ];
  });
  await vi.waitFor(() => expect(shownDiagnostics.get(document.uri)).toHaveLength(2), patience);
  expect(asked).toMatchObject([
    [
      'budgets',
      {
        budgets: [{text: '<= 12 ms/step', ofLine: 'attention'}, {text: 'mlp no slower than main by 5 %'}, {}],
        ...{run: {profile: 7}, base: null},
      },
    ],
  ]);
  expect(shownDiagnostics.get(document.uri)).toMatchObject([
    {
      range: {start: {line: 0, character: 38}, end: {line: 0, character: 56}},
      severity: DiagnosticSeverity.Error,
      message: 'Over budget "<= 12 ms/step": 13.0 ms a step; the budget is 12.0 ms a step.',
    },
    {
      ...{range: {start: {line: 1}}, severity: DiagnosticSeverity.Warning},
      message: 'Whether "mlp no slower than main by 5 %" holds cannot be told: The runs are not comparable.',
    },
  ]);
  store.activeOpen = null;
  changes.fire(undefined);
  expect(shownDiagnostics.size).toBe(0);
  shown.dispose();
});

it('are on the lines of .gpu-lens.json, one for each time that it is written', async () => {
  const text = '{\n  "budgets": [\n    "total <= 1 ms",\n    "total <= 1 ms"\n  ]\n}';
  const {shown, document} = problems('/w/.gpu-lens.json', text, budgets => budgets.map(broken));
  await vi.waitFor(() => expect(shownDiagnostics.get(document.uri)).toHaveLength(2), patience);
  expect(shownDiagnostics.get(document.uri)).toMatchObject([
    {range: {start: {line: 2, character: 4}, end: {line: 2, character: 19}}},
    {range: {start: {line: 3, character: 4}}},
  ]);
  shown.dispose();
});

it('do not hold where they cannot be checked', async () => {
  const {shown, document} = problems('/w/train.py', '# gpu: total <= 1 ms', () => {
    throw new Error('the engine is gone');
  });
  await vi.waitFor(() => expect(shownDiagnostics.get(document.uri)).toHaveLength(1), patience);
  expect(shownDiagnostics.get(document.uri)).toMatchObject([{severity: DiagnosticSeverity.Warning}]);
  shown.dispose();
});
