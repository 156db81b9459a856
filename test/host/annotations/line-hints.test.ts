import {beforeEach, expect, it, vi} from 'vitest';
import {lineTimings} from '../../../src/core/lines/line-timings.js';
import {stallsOf} from '../../../src/core/lines/stalls.js';
import type {NamePattern} from '../../../src/core/names/name-pattern.js';
import {filesOfWorkspace} from '../../support/recorded-files.js';
import {traceFromText} from '../../support/trace-from-text.js';
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
const {LineHints} = await import('../../../src/host/annotations/line-hints.js');
const {DocumentTags} = await import('../../../src/host/annotations/document-tags.js');

const {files} = await filesOfWorkspace();

const text = `import time
from torch.profiler import record_function
start = time.time()
with record_function("forward"):
    model(x)
print("took", time.time() - start)
`;
const trace = traceFromText(`
range forward     ===
call              A
stream 7           AAAAAAAA
`);
const path = '/w/train.py';

beforeEach(() => {
  settings.clear();
  shownDiagnostics.clear();
});

function hinted(patterns: readonly NamePattern[]) {
  const document = new TextDocument({path, scheme: 'file', fsPath: path}, text);
  window.visibleTextEditors = [{document}];
  const store = {activeOpen: {key: 1, state: {summary: {id: 1, info: {}}}} as object | null};
  const changed = new EventEmitter();
  const tags = new DocumentTags();
  const annotations = {
    of: async () =>
      (await tags.of(document as never)).map(tag => ({
        tag,
        patterns,
        timing: lineTimings(trace, [patterns])[0],
        isStale: false,
      })),
    onDidChange: changed.event,
    onDidEdit: new EventEmitter().event,
  };
  const engine = {
    ask: (_: string, question: {patterns: NamePattern[][]}) => Promise.resolve(stallsOf(trace, question.patterns)),
  };
  const parts = [annotations, tags, files, store, engine, {warn: (line: string) => expect.fail(line)}];
  const hints = new (LineHints as new (...all: unknown[]) => InstanceType<typeof LineHints>)(...parts);
  return {hints, store, changed, document};
}

it('are shown on the line with what the profile measured, and go with the profile', async () => {
  const {hints, store, changed, document} = hinted([['forward']]);
  await vi.waitFor(() => expect(shownDiagnostics.get(document.uri)).toHaveLength(1), patience);
  expect(shownDiagnostics.get(document.uri)).toMatchObject([
    {
      range: {start: {line: 5, character: 14}, end: {line: 5, character: 25}},
      severity: DiagnosticSeverity.Hint,
      source: 'GPU Lens',
      code: 'timer',
    },
  ]);
  store.activeOpen = null;
  changed.fire(null);
  expect(shownDiagnostics.size).toBe(0);
  hints.dispose();
});

it('are none where the profile knows no range of the line', async () => {
  const {hints, document} = hinted([['other']]);
  await vi.waitFor(() => expect(shownDiagnostics.get(document.uri)).toEqual([]), patience);
  hints.dispose();
});

it('are among the problems, and gone, by setting', async () => {
  settings.set('hints', 'information');
  const {hints, changed, document} = hinted([['forward']]);
  const shown = () => shownDiagnostics.get(document.uri);
  await vi.waitFor(() => expect(shown()).toMatchObject([{severity: DiagnosticSeverity.Information}]), patience);
  settings.set('hints', 'off');
  changed.fire(null);
  await vi.waitFor(() => expect(shown()).toEqual([]), patience);
  settings.set('hints', 'nothing that there is');
  changed.fire(null);
  await vi.waitFor(() => expect(shown()).toMatchObject([{severity: DiagnosticSeverity.Hint}]), patience);
  hints.dispose();
});
