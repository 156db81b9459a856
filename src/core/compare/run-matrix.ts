import {greatest, least} from '../table/extremes.js';
import {comparability, type Comparability} from './comparability.js';
import {workPart, hasSteps} from '../gpu-work/work-part.js';
import {LaunchedPlaces} from './launched-places.js';
import {matchEntries} from './match-entries.js';
import type {SelectedRun} from './run-comparison-input.js';
import {askWork} from '../gpu-work/ask-work.js';
import type {WorkEntry} from '../gpu-work/work-entry.js';
import {workKinds, type WorkKind} from '../gpu-work/work-groups.js';

/** One run of a matrix. */
interface MatrixRun {
  readonly per: 'step' | 'all';
  readonly steps: number;
  readonly gpuWorkNs: number;
  /** Comparability with the first run. */
  readonly comparable: Comparability;
}

/** GPU self work of one row in each run, ns; null if a run does not have the row. */
export interface MatrixRow {
  readonly kind: WorkKind;
  readonly path: string;
  readonly values: readonly (number | null)[];
  /** The index of the run with the least work; null if fewer than two runs have the row, or all are equal. */
  readonly best: number | null;
  readonly worst: number | null;
}

export interface RunMatrix {
  readonly runs: readonly MatrixRun[];
  readonly rows: readonly MatrixRow[];
}

/**
 * Returns the GPU work of three or more runs side by side, rows with the largest spread first. Rows are matched with
 * the first run's as in `compareRuns`; rows that the first run lacks are matched by equal paths.
 *
 * @throws TraceError `selection/no-match`, `trace/too-many-open-ranges`
 * @see docs/metrics.md#compare-matrix
 */
export function compareMany(runs: readonly SelectedRun[], kinds: readonly WorkKind[] = workKinds): RunMatrix {
  const isPerStep = runs.every(({trace, selection}) => hasSteps(trace, selection));
  const parts = runs.map(({trace, selection}) => workPart(trace, selection, isPerStep));
  const launched = parts.map(part => new LaunchedPlaces(part));
  const rows = kinds.flatMap(kind => {
    const works = parts.map(part => askWork(part, kind).rows);
    return matrixRows(
      kind,
      works,
      parts.map(({steps}) => Math.max(1, steps)),
      launched,
    );
  });
  const classes = parts.map(part => askWork(part, 'class'));
  return {
    runs: runs.map((run, at) => {
      const {steps} = parts[at];
      const workNs = classes[at].total.gpuWorkNs;
      return {
        ...{per: isPerStep ? 'step' : 'all', steps, gpuWorkNs: workNs / Math.max(1, steps)},
        comparable: comparability(runs[0], run, parts[0], parts[at], [classes[0].rows, classes[at].rows]),
      };
    }),
    rows,
  };
}

/**
 * Returns the rows of one kind in each run, those with the largest spread first.
 *
 * @param steps the divisors of the work
 * @param launched what operators of each run launched; null if that is unknown
 * @throws TraceError `trace/too-many-open-ranges`
 */
export function matrixRows(
  kind: WorkKind,
  works: readonly (readonly WorkEntry[])[],
  steps: readonly number[],
  launched: readonly LaunchedPlaces[] | null,
): MatrixRow[] {
  const valuesOf = new Map<string, (number | null)[]>();
  const rowOf = (path: string) => {
    const values = valuesOf.get(path) ?? works.map(() => null);
    valuesOf.set(path, values);
    return values;
  };
  const put = (path: string, run: number, entries: readonly WorkEntry[]) => {
    if (entries.length === 0) return;
    const values = rowOf(path);
    values[run] = (values[run] ?? 0) + entries.reduce((sum, {gpuWorkNs}) => sum + gpuWorkNs, 0) / steps[run];
  };
  for (const entry of works[0]) put(entry.path, 0, [entry]);
  for (let run = 1; run < works.length; run++) {
    const both = launched && ([launched[0], launched[run]] as const);
    for (const {path, base, changed} of matchEntries(kind, works[0], works[run], both)) {
      put(base[0]?.path ?? path, run, changed);
    }
  }
  const spread = ({values}: MatrixRow) => {
    const present = values.map(value => value ?? 0);
    return greatest(present) - least(present);
  };
  return [...valuesOf]
    .map(([path, values]) => ({kind, path, values, ...extremes(values)}))
    .sort((a, b) => spread(b) - spread(a));
}

function extremes(values: readonly (number | null)[]): Pick<MatrixRow, 'best' | 'worst'> {
  const present = values.flatMap((value, run) => (value === null ? [] : [{value, run}]));
  const sorted = present.sort((a, b) => a.value - b.value);
  if (sorted.length < 2 || sorted[0].value === sorted[sorted.length - 1].value) return {best: null, worst: null};
  return {best: sorted[0].run, worst: sorted[sorted.length - 1].run};
}
