import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {compareFlames} from '../../src/core/compare/compare-flames.js';
import {compareRuns} from '../../src/core/compare/run-comparison.js';
import {measurementOf} from '../../src/core/benchmark/measurement.js';
import {jobFacts} from '../../src/core/job/job-report.js';
import {jobTimeline} from '../../src/core/job/job-timeline.js';
import {jobView} from '../../src/core/job/job-view.js';
import {stepWindow, timelineWindow} from '../../src/core/job/timeline-window.js';
import {createEngine} from '../../src/engine/engine.js';
import {memoryHandlers} from '../../src/engine/memory-handlers.js';
import {OpenSnapshots} from '../../src/engine/open-snapshots.js';
import {openTrace} from '../../src/importers/open-trace.js';
import type {JobHostRequests} from '../../src/protocol/job-messages.js';
import {profileQueryNames} from '../../src/protocol/profile-messages.js';
import type {ViewContent} from '../../src/protocol/view-messages.js';
import {runOf} from './compared-runs.js';
import {findingsInFile} from './findings.js';
import {madeJob} from './job-ranks.js';
import {kineto, kinetoText} from './kineto-events.js';
import {pointResult} from './sweep.js';
import {traceFromText} from './trace-from-text.js';
import {ofEvents} from './trace-of-events.js';
import {trainingProgram} from './training-program.js';

/** A view with content: its page, the host's messages to it, and the host's answers. */
export interface MadeView {
  /** The bundle in dist/webview. */
  readonly bundle: string;
  readonly title: string;
  readonly method: string;
  readonly content: unknown;
  readonly answers: Readonly<Record<string, (params: never) => unknown>>;
  /** The text that it shows once it is complete. */
  readonly says: string;
}

const context = {signal: new AbortController().signal, report: () => undefined};
const nothing = Object.fromEntries(
  ['view/ready', 'layout/restore', 'layout/store', 'ranks/list'].map(name => [name, () => null]),
);

/** Returns every view with example content; files are written to the folder. */
export async function madeViews(folder: string): Promise<MadeView[]> {
  return [
    ...(await viewsOfProfile(folder)),
    await memoryView(folder),
    queryView(),
    comparisonView(),
    jobPage(),
    benchmark(),
  ];
}

async function viewsOfProfile(folder: string): Promise<MadeView[]> {
  const path = join(folder, 'run.pt.trace.json');
  const {events} = trainingProgram();
  writeFileSync(path, JSON.stringify({traceEvents: events}));
  const engine = createEngine({settings: {memoryLimitBytes: null, cache: null}, profiles: []}, 'test');
  const {id, ...summary} = await engine['profile/open']({path}, context);
  const {stamp: identity, info, tracks, counters, steps, processes, modules} = summary;
  const profile = {key: id, identity, name: 'run', info, tracks, counters, steps, processes, modules};
  const content: ViewContent = {state: 'open', profile, scope: null};
  const asked = [...profileQueryNames, 'tables/page' as const, 'tables/chart' as const].map(name => [
    name,
    ({key, ...rest}: {key: number}) => engine[name]({profile: key, ...rest} as never, context),
  ]);
  const findings = await ofEvents(events, {}, findingsInFile);
  const answers = {
    ...nothing,
    ...(Object.fromEntries(asked) as MadeView['answers']),
    'summary/findings': () => ({findings, hasGpuWork: true, notes: []}),
  };
  const ofProfile = {method: 'view/content', content, answers};
  return [
    {...ofProfile, bundle: 'timeline', title: 'GPU Timeline', says: 'In view: the 50 longest slices'},
    {...ofProfile, bundle: 'summary', title: 'GPU Summary', says: 'What takes the most'},
    {...ofProfile, bundle: 'tables', title: 'GPU Tables', says: 'rows'},
    {...ofProfile, bundle: 'flame', title: 'GPU Flame Graph', says: '100 % = '},
    {...ofProfile, bundle: 'roofline', title: 'Roofline and Estimate', says: 'shapes that tell its cost'},
  ];
}

async function memoryView(folder: string): Promise<MadeView> {
  const snapshot = join(folder, 'memory.json');
  const allocation = {ph: 'i', s: 't', cat: 'cpu_instant_event', name: '[memory]', pid: 100, tid: 100, ts: 10};
  const args = {Bytes: 40_000, Addr: 1, 'Device Type': 1, 'Device Id': 0, 'Total Allocated': 40_000};
  writeFileSync(snapshot, kinetoText([kineto.range('forward', 0, 90), {...allocation, args}]));
  const memory = memoryHandlers(new OpenSnapshots(() => ({}), openTrace), () => openTrace(snapshot));
  const asked = (['memory/curve', 'memory/moment', 'memory/kept', 'memory/flame', 'memory/segments'] as const).map(
    name => [name, (params: object) => memory[name]({...params, snapshot} as never, context)],
  );
  const overview = await memory['memory/open']({snapshot, lines: []}, context);
  return {
    ...{
      bundle: 'memory',
      title: 'GPU Memory',
      method: 'memory/content',
      says: 'by the innermost line of your own code',
    },
    content: {state: 'open', name: 'memory.json', overview, at: null},
    answers: {...nothing, ...(Object.fromEntries(asked) as MadeView['answers'])},
  };
}

function queryView(): MadeView {
  const found = {rowCount: 2, sort: [], filter: '', keptCount: 2, summary: '2 rows in 3 ms'};
  const columns = {columns: ['name', 'calls'], isNumeric: [false, true]};
  const result = {key: 1, profile: 'run', profileKey: 1, sql: 'SELECT name, calls FROM calls', ...columns, ...found};
  const rows = [
    ['gemm', '12'],
    ['copy', null],
  ];
  return {
    ...{bundle: 'query', title: 'Query Results', method: 'query/content', says: 'gemm'},
    content: {state: 'done', result},
    answers: {...nothing, 'query/rows': () => rows},
  };
}

function comparisonView(): MadeView {
  const [base, changed] = ['AABB', 'AAAABB'].map(kernels =>
    runOf(
      traceFromText(`
        range attn   ====
        call         AB
        stream 7      ${kernels}
      `),
    ),
  ) as [ReturnType<typeof runOf>, ReturnType<typeof runOf>];
  const comparison = compareRuns(base, changed);
  const flames = compareFlames(base, changed, {}, comparison.noise.betweenRuns, true);
  return {
    ...{bundle: 'compare', title: 'GPU Comparison', method: 'comparison/content', says: 'after compared with before'},
    content: {state: 'pair', names: ['before', 'after'], comparison, flames, hasTimelines: true, isByShapes: false},
    answers: nothing,
  };
}

function jobPage(): MadeView {
  const lateNs = (rank: number) => (rank === 2 ? 20e6 : 0);
  const ranks = madeJob({ranks: 4, steps: 8, callsPerStep: 2, lateNs});
  const overlap = {communicationNs: 2e6, overlapNs: 1e6};
  const facts = jobFacts(ranks.map(rank => ({...rank, overlap, kernels: [{name: 'gemm', count: 3, gpuWorkNs: 1e6}]})));
  const view = jobView(facts);
  const timeline = jobTimeline(facts, view.report.ranks);
  const shownIn = ({window, pixels}: JobHostRequests['job/window']['params']) => {
    const found = 'step' in window ? stepWindow(timeline, window.step) : window;
    return found && timelineWindow(timeline, found, pixels);
  };
  return {
    ...{bundle: 'job', title: 'Ranks as One Job', method: 'job/content', says: 'by the clock of the first rank'},
    content: {state: 'open', key: 1, name: 'job', view, timeline, shown: 0},
    answers: {...nothing, 'job/window': shownIn},
  };
}

function benchmark(): MadeView {
  const measurements = (['fp32', 'bf16'] as const).flatMap((precision, row) =>
    [128, 256].map((contextLength, at) =>
      measurementOf(
        2 * row + at,
        pointResult({precision, contextLength, result: {warmupNs: [9e6], stepNs: [2e6, 3e6, 4e6]}}),
      ),
    ),
  );
  return {
    ...{bundle: 'benchmark', title: 'GPU Benchmark', method: 'benchmark/content', says: '3.00'},
    content: {
      ...{key: '1', kind: 'sweep', sources: [{key: '1', title: 'sweep'}], profiled: [], canGoOn: true},
      sets: [{title: 'sweep', note: null, measurements}],
      progress: null,
    },
    answers: {...nothing, 'benchmark/environment': () => []},
  };
}
