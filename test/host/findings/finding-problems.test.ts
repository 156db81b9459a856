import {beforeEach, expect, it, vi} from 'vitest';
import type {Finding} from '../../../src/core/findings/rules/finding.js';
import {
  DiagnosticSeverity,
  EventEmitter,
  settings,
  shownDiagnostics,
  TextDocument,
  window,
} from '../../support/vscode-stand-in.js';
import {patience} from '../../support/patience.js';

vi.mock('vscode', () => import('../../support/vscode-stand-in.js'));
const {FindingProblems} = await import('../../../src/host/findings/finding-problems.js');
const {FindingsStore} = await import('../../../src/host/findings/known-findings.js');

const path = '/w/train.py';
const recorded = '/other/machine/train.py';
const finding: Finding = {
  ...{rule: 'idle/data-loader', severity: 'high', title: 'The GPU waits for the data loader'},
  evidence: [{text: 'Idle in the data loader', value: 12_500_000, unit: 'ns', query: 'SELECT 1'}],
  ...{gainAtMostNs: 12_500_000, advice: 'Use more workers.', link: 'https://pytorch.org/docs'},
  ...{file: recorded, line: 2, startNs: 5},
};

beforeEach(() => {
  settings.clear();
  shownDiagnostics.clear();
});

/** A store that knows findings and has no need to search them again. */
function knowing(findings: readonly Finding[]): object {
  const known = {findings, hasGpuWork: true, notes: []};
  return {of: () => known, ask: () => undefined, onDidChange: new EventEmitter().event};
}

function problems(
  findings: readonly Finding[],
  lineNow: ((line: number) => number | null) | null = null,
  known = knowing(findings),
) {
  const document = new TextDocument({path, scheme: 'file', fsPath: path}, 'import torch\n  for batch in loader:\n');
  window.visibleTextEditors = [{document}];
  const changed = new EventEmitter();
  const store = {activeOpen: {key: 1, state: {summary: {}}} as object | null};
  const annotations = {
    ...{onDidChange: changed.event, onDidEdit: new EventEmitter().event},
    recordedLinesNow: () => Promise.resolve(lineNow),
  };
  const files = {
    pathIn: (list: readonly {file?: string}[]) => (list.some(({file}) => file === recorded) ? recorded : null),
  };
  const parts = [store, known, annotations, files];
  const shown = new (FindingProblems as new (...all: unknown[]) => InstanceType<typeof FindingProblems>)(...parts, {
    warn: (line: string) => expect.fail(line),
  });
  return {shown, document, changed, store};
}

it('stand on the line that they lead to, with their evidence, and go with the profile', async () => {
  const {shown, document, changed, store} = problems([finding, {...finding, file: '/other/model.py'}]);
  await vi.waitFor(() => expect(shownDiagnostics.get(document.uri)).toHaveLength(1), patience);
  expect(shownDiagnostics.get(document.uri)).toMatchObject([
    {
      range: {start: {line: 1, character: 2}, end: {line: 1, character: 22}},
      severity: DiagnosticSeverity.Information,
      message: 'The GPU waits for the data loader.\nIdle in the data loader: 12.5 ms\nUse more workers.',
      code: {value: 'idle/data-loader', target: {text: 'https://pytorch.org/docs'}},
    },
  ]);
  const actions = shown.provideCodeActions(
    document as never,
    null as never,
    {
      diagnostics: shownDiagnostics.get(document.uri),
    } as never,
  );
  expect(actions.map(({title, command}) => [title, command?.command])).toEqual([
    ['Show in GPU timeline', 'gpuLens.showFindingInTimeline'],
    ['Dismiss finding idle/data-loader…', 'gpuLens.dismissFinding'],
  ]);
  store.activeOpen = null;
  changed.fire(null);
  expect(shownDiagnostics.size).toBe(0);
  shown.dispose();
});

it('move with the lines of an edited file, and are gone with a line that is gone', async () => {
  const moved = problems([finding], () => 1);
  await vi.waitFor(
    () => expect(shownDiagnostics.get(moved.document.uri)).toMatchObject([{range: {start: {line: 0}}}]),
    patience,
  );
  moved.shown.dispose();
  shownDiagnostics.clear();
  const gone = problems([finding], () => null);
  await vi.waitFor(() => expect(shownDiagnostics.get(gone.document.uri)).toEqual([]), patience);
  gone.shown.dispose();
});

it('stay while they are searched again after one was dismissed, and only that one goes', async () => {
  const left = {...finding, rule: 'memcpy/pageable', line: 1};
  const answers: (() => void)[] = [];
  const search = vi.fn(() => {
    const findings = answers.length === 0 ? [finding, left] : [left];
    return new Promise(resolve => answers.push(() => resolve({findings, hasGpuWork: true, notes: []})));
  });
  const known = new FindingsStore(search as never, {warn: (line: string) => expect.fail(line)} as never);
  const {shown, document, store} = problems([], null, known);
  const rules = () => (shownDiagnostics.get(document.uri) as {code: {value: string}}[]).map(({code}) => code.value);
  const profile = store.activeOpen as never;
  // Lines do not have findings searched: this is the summary's or the side bar's search.
  await vi.waitFor(() => expect(shownDiagnostics.get(document.uri)).toEqual([]), patience);
  expect(search).not.toHaveBeenCalled();
  known.ask(profile);
  answers[0]?.();
  await vi.waitFor(() => expect(rules()).toEqual([finding.rule, left.rule]), patience);
  known.forget();
  await vi.waitFor(() => expect(search).toHaveBeenCalledTimes(2), patience);
  expect(rules()).toEqual([finding.rule, left.rule]);
  answers[1]?.();
  await vi.waitFor(() => expect(rules()).toEqual([left.rule]), patience);
  expect(search).toHaveBeenCalledTimes(2);
  shown.dispose();
});

it('are none by setting, and open no link that is no page', async () => {
  settings.set('hints', 'off');
  const off = problems([finding]);
  await vi.waitFor(() => expect(shownDiagnostics.get(off.document.uri)).toEqual([]), patience);
  off.shown.dispose();
  settings.clear();
  shownDiagnostics.clear();
  const own = problems([{...finding, link: 'command:workbench.action.terminal.new'}]);
  await vi.waitFor(
    () => expect(shownDiagnostics.get(own.document.uri)).toMatchObject([{code: 'idle/data-loader'}]),
    patience,
  );
  own.shown.dispose();
});
