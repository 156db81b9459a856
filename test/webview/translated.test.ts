// @vitest-environment jsdom
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {basename, join} from 'node:path';
import {afterAll, beforeAll, beforeEach, expect, it} from 'vitest';
import {measurementOf} from '../../src/core/benchmark/measurement.js';
import {jobPage} from '../../src/core/job/job-page.js';
import {jobFacts} from '../../src/core/job/job-report.js';
import {jobTimeline} from '../../src/core/job/job-timeline.js';
import {jobView} from '../../src/core/job/job-view.js';
import {timelineWindow} from '../../src/core/job/timeline-window.js';
import {neutralColors, placeColors} from '../../src/core/layout/mark-colors.js';
import type {MemoryCurve} from '../../src/core/memory-snapshot/memory-curve.js';
import {shortKernelName} from '../../src/core/names/short-kernel-name.js';
import {trackText} from '../../src/core/names/track-text.js';
import {displayName} from '../../src/core/names/slice-name.js';
import {createEngine} from '../../src/engine/engine.js';
import {memoryHandlers} from '../../src/engine/memory-handlers.js';
import {OpenSnapshots} from '../../src/engine/open-snapshots.js';
import {openTrace} from '../../src/importers/open-trace.js';
import type {BenchmarkHostRequests, BenchmarkViewRequests} from '../../src/protocol/benchmark-messages.js';
import type {JobHostRequests, JobViewRequests} from '../../src/protocol/job-messages.js';
import type {MemoryHostRequests, MemoryViewRequests} from '../../src/protocol/memory-messages.js';
import {profileQueryNames} from '../../src/protocol/profile-messages.js';
import type {QueryHostRequests, QueryViewRequests} from '../../src/protocol/query-messages.js';
import type {HostRequests, ViewContent, ViewRequests} from '../../src/protocol/view-messages.js';
import {kineto, kinetoText} from '../support/kineto-events.js';
import {madeJob} from '../support/job-ranks.js';
import {pointResult} from '../support/sweep.js';
import {completePage, settle, TestHost} from '../support/page.js';
import {recordingContext} from '../support/recording-context.js';
import {trainingProgram} from '../support/training-program.js';
import {tableTexts} from '../support/table-texts.js';
import {chineseTexts, outsideOfWords, pseudo, translatePage, untranslated} from '../support/translations.js';

completePage();
// Every text of ours stands in brackets: what is left outside of them was written where it cannot be translated.
translatePage(Object.fromEntries(Object.keys(chineseTexts).map(text => [text, pseudo(text)])));
// Views read the translations when they are loaded.
const {BenchmarkView} = await import('../../webview/benchmark/benchmark-view.js');
const {layoutsOf} = await import('../../webview/benchmark/layouts.js');
const {JobPage} = await import('../../webview/job/job-page.js');
const {FlameView} = await import('../../webview/flame/flame-view.js');
const {drawMemory} = await import('../../webview/memory/draw-memory.js');
const {memoryLegend} = await import('../../webview/memory/memory-legend.js');
const {MemoryView} = await import('../../webview/memory/memory-view.js');
const {QueryView} = await import('../../webview/query/query-view.js');
const {RooflineView} = await import('../../webview/roofline/roofline-view.js');
const {readTheme} = await import('../../webview/shared/theme.js');
const {SummaryView} = await import('../../webview/summary/summary-view.js');
const {TablesView} = await import('../../webview/tables/tables-view.js');
const {HoverTip} = await import('../../webview/timeline/hover-tip.js');
const {emptyState, headerPx} = await import('../../webview/timeline/timeline-state.js');
const {TimelineView} = await import('../../webview/timeline/timeline-view.js');

/** What the core says, which other programs read, too: the command line and reports. It is not translated yet. */
const saidByTheCore: readonly RegExp[] = [
  // What the root of a flame graph is called, which is copied with it.
  /^GPU work(?: ·)?$/,
  // The name of a profiler, beside a count.
  /^PyTorch profiler · \d+$/,
  // How many events have been read.
  /^, \d events$/,
  // Figures of calls and of what was measured, and the values that tell points of a sweep apart.
  /^[\d.]+ KiB$/,
  /^[\d,]+ MB resident$/,
  /^(?:bf16|fp32) \(ms\)$/,
  /^(?:bf16|fp32)\n\d+\n[\d.]+ ± [\d.]+ ms$/,
  /^(?:small,|4, cpu, fp32,)$/,
];

/** Names of keys, as they stand on keyboards; and what the toolkit says of its ring. */
const notOurs = new Set([
  'record_function',
  ...['W S', 'A D', 'J K', 'N P', 'Alt + ↑ ↓', 'Home', 'Esc', 'Enter', 'Escape, Backspace', 'Shift+F10, M'],
  'Loading',
]);

/** Texts of the core and of the engine's answers: names of the file, titles of tables and columns, what they are about. */
const told = new Set<string>();
function remember(answer: unknown): void {
  if (typeof answer === 'string') told.add(answer).add(shortKernelName(answer)).add(displayName(answer));
  else if (answer !== null && typeof answer === 'object') Object.values(answer).forEach(remember);
}

/** Texts of tables come in English from the engine, and views say them. */
const ofTables = tableTexts();

/** Whether a text is none of a view's own words: several are joined, as "name: what it is". */
const isKnown = (text: string) =>
  notOurs.has(text) ||
  saidByTheCore.some(pattern => pattern.test(text)) ||
  (told.has(text) && !ofTables.has(text)) ||
  // A tooltip begins with the header of its column, as the profiler's documents have it.
  (told.has(text.replace(/:$/, '')) && text.endsWith(':')) ||
  (text.includes(': ') && text.split(': ').every(part => told.has(part)));

const engine = createEngine({settings: {memoryLimitBytes: null, cache: null}, profiles: []}, 'test');
const context = {signal: new AbortController().signal, report: () => undefined};
const answers = Object.fromEntries([
  ...[...profileQueryNames, 'tables/page' as const, 'tables/chart' as const].map(name => [
    name,
    async ({key, ...rest}: {key: number}) => {
      const answer: unknown = await engine[name]({profile: key, ...rest} as never, context);
      remember(answer);
      return answer;
    },
  ]),
  ...['view/ready', 'layout/restore', 'layout/store', 'ranks/list'].map(name => [name, () => null]),
  ['summary/findings', () => ({findings: [], dismissed: [], notes: []})],
]) as Record<string, (params: never) => unknown>;

const folder = mkdtempSync(join(tmpdir(), 'gpu-lens-translated-'));
let content: ViewContent;
beforeAll(async () => {
  const path = join(folder, 'run.pt.trace.json');
  writeFileSync(path, JSON.stringify({traceEvents: trainingProgram().events}));
  const summary = await engine['profile/open']({path}, context);
  const {id, stamp, info, tracks, counters, steps, processes, modules} = summary;
  const profile = {key: id, identity: stamp, name: basename(path)};
  content = {state: 'open', profile: {...profile, info, tracks, counters, steps, processes, modules}, scope: null};
  remember(content);
});
afterAll(() => {
  rmSync(folder, {recursive: true});
});
beforeEach(() => {
  document.body.replaceChildren();
});

it.each([
  {View: TimelineView, says: 'GPU busy'},
  {View: SummaryView, says: 'What takes the most'},
  {View: TablesView, says: 'rows'},
  {View: FlameView, says: '100 % = '},
])('$View.name shows no words of its own that cannot be translated', async ({View, says}) => {
  const host = new TestHost<HostRequests, ViewRequests>(answers);
  new View(host.host, document.body).start();
  await host.tell('view/content', content);
  await expect.poll(() => document.body.textContent).toContain(says);
  // Names of rows come in English, too, and the timeline says them; in tables they are cells.
  const isName = (text: string) => isKnown(text) && (View !== TimelineView || trackText(text) === text);
  expect(untranslated(document.body, isName)).toEqual([]);
});

it('RooflineView shows no words of its own that cannot be translated, but ids of systems, models and columns', async () => {
  const host = new TestHost<HostRequests, ViewRequests>(answers);
  new RooflineView(host.host, document.body).start();
  await host.tell('view/content', content);
  await expect.poll(() => document.body.textContent).toContain('shapes that tell its cost');
  // What the core says of an estimate: its blocks, the sources of a data sheet.
  const ofEstimate = (text: string) =>
    /^(?:[a-z][\w.-]*|MLP|[\d.]+ % · [\d.]+ TFLOP|NVIDIA .* data sheet.*)$/.test(text);
  expect(untranslated(document.body, text => isKnown(text) || ofEstimate(text))).toEqual([]);
});

it.each<ViewContent>([
  {state: 'empty'},
  {state: 'closed', name: '1'},
  {state: 'opening', key: 1, name: '1', step: 'read', fraction: 0.5, events: 3},
  {state: 'opening', key: 1, name: '1', step: 'export', fraction: 0.5, events: 0},
  {state: 'failed', name: '1', message: '2', canOpenWith: true},
])('a view without a profile shows no words that cannot be translated: $state $step', async nothing => {
  const host = new TestHost<HostRequests, ViewRequests>(answers);
  new TimelineView(host.host, document.body).start();
  await host.tell('view/content', nothing);
  expect(document.querySelector('.message')?.textContent).toContain('[!!');
  expect(untranslated(document.body, isKnown)).toEqual([]);
});

it('MemoryView shows no words of its own that cannot be translated', async () => {
  const snapshot = join(folder, 'memory.json');
  const allocation = {ph: 'i', s: 't', cat: 'cpu_instant_event', name: '[memory]', pid: 100, tid: 100, ts: 10};
  const args = {Bytes: 40, Addr: 1, 'Device Type': 1, 'Device Id': 0, 'Total Allocated': 40};
  writeFileSync(snapshot, kinetoText([kineto.range('forward', 0, 90), {...allocation, args}]));
  const memory = memoryHandlers(new OpenSnapshots(() => ({}), openTrace), () => openTrace(snapshot));
  const asked = (['memory/curve', 'memory/moment', 'memory/kept'] as const).map(name => [
    name,
    async (params: object) => {
      const answer: unknown = await memory[name]({...params, snapshot} as never, context);
      remember(answer);
      return answer;
    },
  ]);
  const overview = await memory['memory/open']({snapshot, lines: []}, context);
  remember(overview);
  const host = new TestHost<MemoryHostRequests, MemoryViewRequests>({
    ...(Object.fromEntries(asked) as Record<string, (params: never) => unknown>),
    'view/ready': () => undefined,
  });
  new MemoryView(host.host, document.body).start();
  await host.tell('memory/content', {state: 'open', name: '1', overview, at: null});
  // The first tab: the last thing that is drawn, after the chart, its legend and the headline.
  await expect.poll(() => document.body.textContent).toContain('by the innermost line of your own code');
  expect(untranslated(document.body, isKnown)).toEqual([]);
});

it('the chart of memory and its legend say all other groups and the shown moment, and keep their looks', () => {
  const curveOf = (names: readonly string[]): MemoryCurve => ({
    ...{fromMoment: 0, toMoment: 0, columns: 1, moments: Int32Array.of(0)},
    ...{allocatedBytes: Float64Array.of(3), reservedBytes: Float64Array.of(4)},
    bands: [
      ...names.map(name => ({name, place: null, bytes: Float64Array.of(2), isOthers: false})),
      {name: 'all others', place: null, bytes: Float64Array.of(1), isOthers: true},
    ],
  });
  const theme = readTheme();
  const grey = neutralColors(theme).fill;
  const legend = memoryLegend(curveOf(['a.py:1']), curveOf(['a.py:1', 'b.py:2']), theme);
  expect(untranslated(legend, text => /^[ab]\.py:\d$/.test(text))).toEqual([]);
  const swatchOf = (color: string) => {
    const swatch = document.createElement('span');
    swatch.style.background = color;
    return swatch.style.background;
  };
  const colors = [...legend.querySelectorAll<HTMLElement>('.swatch')].map(({style}) => style.background);
  expect(colors).toEqual([placeColors(0, theme).fill, grey, grey].map(swatchOf));

  const {context: pen, calls} = recordingContext();
  const marks = {moment: 0, base: null, peakMoment: 0, outOfMemoryMoments: [], dragged: null};
  drawMemory(pen, {...marks, curve: curveOf(['a.py:1']), widthPx: 400, heightPx: 200}, theme);
  const fills = calls.filter(({method}) => method === 'fillRect').map(({fillStyle}) => fillStyle);
  expect(fills).toContain(grey);
  // The shown moment is drawn last.
  expect(pen.lineWidth).toBe(2);
});

it('the tooltip of an instant shows no words of its own that cannot be translated', () => {
  const markers = {length: 1, track: [3], atPx: [50], name: [0], kind: [0], count: [1]};
  const answer = {slices: {fromNs: 0, toNs: 100}, instants: {markers, names: ['1'], kinds: ['2']}};
  const row = {kind: 'instants', topPx: 0, heightPx: 20, track: {track: 3}};
  const state = {...emptyState, rows: {rows: [row], heightPx: 20}, window: {fromNs: 0, toNs: 100}, answer};
  const tip = new HoverTip(document.body, {} as never, String);
  const hit = tip.at({...state, answerWidthPx: 100} as never, 100, emptyState.gutterPx + 50, headerPx(emptyState) + 1);
  expect(hit).toEqual({kind: 'instant', row: 0});
  expect(document.body.textContent).toContain('50 ns');
  expect(untranslated(document.body, isKnown)).toEqual([]);
});

it('QueryView shows no words of its own that cannot be translated', async () => {
  const host = new TestHost<QueryHostRequests, QueryViewRequests>({'query/rows': () => [['1']]});
  new QueryView(host.host, document.body).start();
  await host.tell('query/content', {state: 'empty'});
  expect(document.body.textContent).toContain('No query has been run.');
  const found = {rowCount: 2, sort: [], filter: '', keptCount: 1, summary: '2'};
  const result = {key: 1, profile: '1', profileKey: 1, sql: '1', columns: ['1'], isNumeric: [false], ...found};
  await host.tell('query/content', {state: 'done', result});
  await settle();
  await host.tell('query/content', {state: 'failed', sql: '1', message: '2'});
  expect(untranslated(document.body, isKnown)).toEqual([]);
});

it('JobPage shows no words of its own that cannot be translated', async () => {
  const made = madeJob({
    ranks: 4,
    steps: 8,
    callsPerStep: 2,
    aheadNs: () => 0,
    lateNs: rank => (rank === 2 ? 20e6 : 0),
  });
  const overlap = {communicationNs: 2e6, overlapNs: 1e6};
  const facts = jobFacts(made.map(rank => ({...rank, overlap, kernels: [{name: 'gemm', count: 3, gpuWorkNs: 1e6}]})));
  const view = jobView(facts);
  const timeline = jobTimeline(facts, view.report.ranks);
  // What is said in the view's language is none of its names.
  remember([timeline, {...view, report: {...view.report, culprit: null, notes: []}}]);
  const page = jobPage(view.report).replace(/\\(.)/g, '$1').split(/[|\n]/);
  expect(outsideOfWords(page).filter(text => !isKnown(text.replace(/^[#* -]+|[* ]+$/g, '')))).toEqual([]);
  const host = new TestHost<JobHostRequests, JobViewRequests>({
    'view/ready': () => undefined,
    'job/window': () => timelineWindow(timeline, {fromNs: timeline.fromNs, toNs: timeline.toNs}, 800),
  });
  new JobPage(host.host, document.body).start();
  await host.tell('job/content', {state: 'empty'});
  expect(document.body.textContent).toContain('No job is open.');
  await host.tell('job/content', {state: 'open', key: 1, name: '1', view, timeline, shown: 0});
  await settle();
  expect(document.body.textContent).toContain('by the clock of the first rank');
  const [rank, kernel] = ['Ranks', 'Kernels over the ranks'].map(label =>
    document.querySelector(`[role=grid][aria-label="${pseudo(label)}"]`),
  );
  expect(rank?.textContent).toContain('50.0 %');
  expect(kernel?.textContent).toContain('gemm');
  expect(untranslated(document.body, isKnown)).toEqual([]);
});

it('BenchmarkView shows no words of its own that cannot be translated', async () => {
  const measurements = (['fp32', 'bf16'] as const).flatMap((precision, row) =>
    [128, 256].map((contextLength, at) =>
      measurementOf(
        2 * row + at,
        pointResult({precision, contextLength, result: {warmupNs: [9e6], stepNs: [2e6, 3e6, 4e6]}}),
      ),
    ),
  );
  for (const {table} of layoutsOf(measurements)) remember(table.rows);
  const host = new TestHost<BenchmarkHostRequests, BenchmarkViewRequests>({
    'view/ready': () => undefined,
    'benchmark/environment': () => [],
  });
  new BenchmarkView(host.host, document.body).start();
  const sets = [{title: '1', note: null, measurements}];
  const sources = [{key: '1', title: '1'}];
  await host.tell('benchmark/content', {
    ...{key: '1', kind: 'sweep', sources, sets, profiled: [], canGoOn: true},
    progress: {doneCount: 1, totalCount: 2, text: ''},
  });
  document.querySelector<HTMLElement>('.body .figure')?.click();
  await settle();
  expect(document.body.textContent).toContain('Mean ± std');
  expect(untranslated(document.body, isKnown)).toEqual([]);
});

it('words that were written past the translations are found', () => {
  document.body.innerHTML = '<p title="Zoom [!!of!!] 3 ms">12.5 ms [!!in!!] 4<b>left over</b></p>';
  expect(untranslated(document.body, isKnown)).toEqual(['Zoom', 'left over']);
});
