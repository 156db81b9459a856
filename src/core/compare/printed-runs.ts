import {say} from '../base/say.js';
import {TraceError} from '../base/errors.js';
import {kernelClass} from '../names/kernel-class.js';
import {isCutName, type TextTable} from '../trace/text-table.js';
import type {ComparabilityReason} from './comparability.js';
import {matchEntries} from './match-entries.js';
import {RepeatedRuns} from './repeated-runs.js';
import {judgeRows} from './row-verdicts.js';
import {draftRow, type ComparisonRow, type RunComparison} from './run-comparison.js';
import {matrixRows, type RunMatrix} from './run-matrix.js';
import type {WorkEntry} from '../gpu-work/work-entry.js';
import {workKinds, type WorkKind} from '../gpu-work/work-groups.js';

/** A run, as far as printed tables contain it. */
export interface PrintedRun {
  /** "" if the text does not name it. */
  readonly name: string;
  /** Rows of each kind for which the text has a table. */
  readonly works: ReadonlyMap<WorkKind, readonly WorkEntry[]>;
  readonly hasCutNames: boolean;
}

/** Tables whose rows are GPU work, with their columns for the name, the work and the calls. */
const workTables: Readonly<Record<string, {kind: WorkKind; name: string; work: string; calls: string}>> = {
  cuda_gpu_kern_sum: {kind: 'kernel', name: 'Name', work: 'Total Time', calls: 'Instances'},
  cuda_gpu_mem_time_sum: {kind: 'kernel', name: 'Operation', work: 'Total Time', calls: 'Count'},
  key_averages: {kind: 'op', name: 'Name', work: 'Self CUDA', calls: '# of Calls'},
};

/**
 * Returns the runs whose GPU work a text contains as printed tables: kernels and copies of nsys, operators of PyTorch.
 * Tables of one run have the same run name, or all have none.
 */
export function printedRuns(tables: readonly TextTable[]): PrintedRun[] {
  const names = [...new Set(tables.filter(({report}) => report in workTables).map(({run}) => run))];
  return names.flatMap(name => {
    const own = tables.filter(({run}) => run === name);
    const [kernels, operators] = [entriesOf(own, 'kernel'), entriesOf(own, 'op')];
    const works = new Map<WorkKind, readonly WorkEntry[]>();
    if (operators.length > 0) works.set('op', operators);
    if (kernels.length > 0) works.set('class', classesOf(kernels)).set('kernel', kernels);
    const hasCutNames = [...kernels, ...operators].some(entry => isCutName(entry.name));
    return works.size === 0 ? [] : [{name, works, hasCutNames}];
  });
}

/** Merges rows with the same name, which may have been cut. */
function entriesOf(tables: readonly TextTable[], kind: WorkKind): WorkEntry[] {
  const found = new Map<string, {gpuWorkNs: number; count: number}>();
  for (const {report, columns, rows} of tables) {
    const table = workTables[report] as (typeof workTables)[string] | undefined;
    if (table?.kind !== kind) continue;
    const [name, work, calls] = [table.name, table.work, table.calls].map(title =>
      columns.findIndex(column => column.title === title),
    );
    if (name < 0 || work < 0) continue;
    for (const cells of rows) {
      const before = found.get(cells[name].text) ?? {gpuWorkNs: 0, count: 0};
      const count = before.count + (calls < 0 ? 0 : (cells[calls].value ?? 0));
      found.set(cells[name].text, {gpuWorkNs: before.gpuWorkNs + (cells[work].value ?? 0), count});
    }
  }
  return [...found].map(([name, figures]) => entryOf(name, figures));
}

function classesOf(kernels: readonly WorkEntry[]): WorkEntry[] {
  const found = new Map<string, {gpuWorkNs: number; count: number}>();
  for (const {name, gpuWorkNs, count} of kernels) {
    const of = /^\[CUDA mem(cpy|set)/i.exec(name);
    const key = of ? `mem${of[1].toLowerCase()}` : kernelClass(name);
    const before = found.get(key) ?? {gpuWorkNs: 0, count: 0};
    found.set(key, {gpuWorkNs: before.gpuWorkNs + gpuWorkNs, count: before.count + count});
  }
  return [...found].map(([name, figures]) => entryOf(name, figures));
}

/** Returns an entry without samples: printed sums cannot be judged. */
function entryOf(name: string, {gpuWorkNs, count}: {gpuWorkNs: number; count: number}): WorkEntry {
  return {path: name, name, isBucket: false, gpuWorkNs, count, samplesNs: new Float64Array(0)};
}

/**
 * Compares the GPU work of two printed runs. Sums have no steps, so changes cannot be told from noise.
 *
 * @throws TraceError `compare/nothing-printed` if the runs have no table of the same kind
 */
export function comparePrinted(base: PrintedRun, changed: PrintedRun, kinds: readonly WorkKind[]): RunComparison {
  const both = sharedKinds([base, changed], workKinds);
  const noRuns = new RepeatedRuns({before: [], after: []}, false);
  const rows = kinds
    .filter(kind => both.includes(kind))
    .flatMap(kind => {
      const drafts = matchEntries(kind, base.works.get(kind) ?? [], changed.works.get(kind) ?? [], null).map(match =>
        draftRow(kind, match, 0, 0, noRuns),
      );
      const judged = judgeRows(drafts.map(({samples}) => samples));
      return drafts
        .map(({row, samples: {matchedBy}}, at): ComparisonRow => ({
          ...row,
          ...noNoise,
          verdict: judged[at].verdict,
          matchedBy,
        }))
        .sort((a, b) => Math.abs(b.deltaNs) - Math.abs(a.deltaNs));
    });
  const [beforeNs, afterNs] = [base, changed].map(run => workOf(run, both[0]));
  return {
    comparable: {verdict: 'partly', reasons: reasonsOf(base, changed)},
    total: {
      ...{per: 'all', beforeNs, afterNs, deltaNs: afterNs - beforeNs, verdict: 'cannot tell'},
      ...{...noNoise, beforeSteps: 0, afterSteps: 0},
    },
    rows,
    noise: {from: 'steps', baseRuns: 1, changedRuns: 1, betweenRuns: {from: 'steps', perStepDeviation: 0}},
  };
}

const noNoise = {noiseNs: null} as const;

/** Returns three or more printed runs side by side. @throws TraceError `compare/nothing-printed` */
export function printedMatrix(runs: readonly PrintedRun[], kinds: readonly WorkKind[]): RunMatrix {
  const shared = sharedKinds(runs, workKinds);
  const ones = runs.map(() => 1);
  return {
    runs: runs.map((run, at) => ({
      ...{per: 'all', steps: 0, gpuWorkNs: workOf(run, shared[0])},
      comparable: at === 0 ? {verdict: 'yes', reasons: []} : {verdict: 'partly', reasons: reasonsOf(runs[0], run)},
    })),
    rows: kinds
      .filter(kind => shared.includes(kind))
      .flatMap(kind =>
        matrixRows(
          kind,
          runs.map(({works}) => works.get(kind) ?? []),
          ones,
          null,
        ),
      ),
  };
}

function sharedKinds(runs: readonly PrintedRun[], kinds: readonly WorkKind[]): readonly WorkKind[] {
  const shared = kinds.filter(kind => runs.every(({works}) => works.has(kind)));
  if (shared.length > 0) return shared;
  throw new TraceError(
    'compare/nothing-printed',
    say('These texts have no tables of one kind to compare: cuda_gpu_kern_sum of nsys, or key_averages of PyTorch.'),
  );
}

function workOf({works}: PrintedRun, kind: WorkKind): number {
  return (works.get(kind) ?? []).reduce((sum, {gpuWorkNs}) => sum + gpuWorkNs, 0);
}

function reasonsOf(base: PrintedRun, changed: PrintedRun): ComparabilityReason[] {
  const told = {base: 'printed', changed: 'printed'};
  const printed = {
    ...{code: 'printed', ...told},
    text: 'Printed tables name neither the GPU nor the steps: whether the runs are the same work cannot be told.',
  };
  const cut = {
    ...{code: 'cut-names', ...told},
    text: 'Names were cut when the tables were printed: rows with the same cut name are one.',
  };
  return base.hasCutNames || changed.hasCutNames ? [printed, cut] : [printed];
}
