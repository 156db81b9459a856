import type {Selection} from '../scope/selection.js';
import type {Trace} from '../trace/trace.js';
import {comparability, type Comparability, type ComparedRun} from './comparability.js';
import {comparedPart, hasSteps, type ComparedPart} from './compared-part.js';
import {matchEntries, type MatchedBy, type MatchedEntry} from './match-entries.js';
import {judgeRows, judgeTotal, type ComparisonVerdict, type Samples} from './row-verdicts.js';
import {runWork, type WorkEntry} from './run-work.js';
import {workKinds, type WorkKind} from './work-groups.js';

/** Figures of one side of a row: per step, or in all. */
export interface SideFigures {
  readonly gpuWorkNs: number;
  readonly count: number;
}

/** One row of a comparison. @see docs/metrics.md#compare */
export interface ComparisonRow {
  readonly kind: WorkKind;
  readonly path: string;
  readonly before: SideFigures;
  readonly after: SideFigures;
  readonly deltaNs: number;
  readonly callsDeltaNs: number;
  readonly perCallDeltaNs: number;
  /** Null if there was no work before. */
  readonly deltaPercent: number | null;
  /** Null if there are too few samples. */
  readonly noiseNs: number | null;
  readonly verdict: ComparisonVerdict;
  readonly matchedBy: MatchedBy | null;
}

export interface ComparisonTotal {
  readonly per: 'step' | 'all';
  readonly beforeNs: number;
  readonly afterNs: number;
  readonly deltaNs: number;
  readonly noiseNs: number | null;
  readonly verdict: ComparisonVerdict;
  /** Steps on either side; 0 if figures are in all. */
  readonly beforeSteps: number;
  readonly afterSteps: number;
}

/** What two runs have in common and how they differ. */
export interface RunComparison {
  readonly comparable: Comparability;
  readonly total: ComparisonTotal;
  readonly rows: readonly ComparisonRow[];
}

/** The parts of two runs that are compared: of their steps if both have some. @throws TraceError as `compareRuns` */
export function comparedParts(base: SelectedRun, changed: SelectedRun): readonly [ComparedPart, ComparedPart] {
  const isPerStep = [base, changed].every(({trace, selection}) => hasSteps(trace, selection));
  const partOf = ({trace, selection}: SelectedRun) => comparedPart(trace, selection, isPerStep);
  return [partOf(base), partOf(changed)];
}

/** A run and the part of it that is compared. */
export interface SelectedRun extends ComparedRun {
  readonly trace: Trace;
  readonly selection: Selection;
}

/**
 * Compares the GPU work of two runs. Rows of each kind add up to the total's difference. Ranges are rows even without
 * GPU work of their own; operators and modules without any are not.
 *
 * @param kinds what rows are made by; every kind if absent
 * @throws TraceError `selection/no-match`, `trace/too-many-open-ranges`
 * @see docs/metrics.md#compare
 */
export function compareRuns(
  base: SelectedRun,
  changed: SelectedRun,
  kinds: readonly WorkKind[] = workKinds,
): RunComparison {
  const [before, after] = comparedParts(base, changed);
  const isPerStep = before.steps > 0;
  const sameParts = before.trace === after.trace && base.selection === changed.selection;
  const worksOf = (kind: WorkKind) => {
    const ofBase = runWork(before, kind);
    return [ofBase, sameParts ? ofBase : runWork(after, kind)] as const;
  };
  // Every kind has all the work; classes are the fewest.
  const classes = worksOf('class');
  const comparable = comparability(base, changed, before, after, classes);
  const canJudge = comparable.verdict !== 'no';
  const drafts = kinds.flatMap(kind => {
    const [ofBase, ofChanged] = kind === 'class' ? classes : worksOf(kind);
    return matchEntries(kind, ofBase, ofChanged)
      .map(match => draftRow(kind, match, before.steps, after.steps))
      .filter(({row}) => kind === 'range' || row.before.gpuWorkNs + row.after.gpuWorkNs > 0);
  });
  const judged = judgeRows(drafts.map(({samples}) => samples));
  const rows = drafts.map(({row, samples}, at): ComparisonRow => {
    const {noise, verdict} = judged[at];
    // A difference of the time a call is one of the work by as many calls.
    const noiseNs = noise === null ? null : noise * (isPerStep ? 1 : row.after.count);
    return {...row, noiseNs, verdict: canJudge ? verdict : 'cannot tell', matchedBy: samples.matchedBy};
  });
  return {
    comparable,
    total: totalOf(totalWork(classes[0], before.steps), totalWork(classes[1], after.steps), before, after, canJudge),
    rows: rows.sort(
      (a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind) || Math.abs(b.deltaNs) - Math.abs(a.deltaNs),
    ),
  };
}

type DraftRow = Omit<ComparisonRow, 'noiseNs' | 'verdict' | 'matchedBy'>;

function draftRow(
  kind: WorkKind,
  {path, matchedBy, base, changed}: MatchedEntry,
  baseSteps: number,
  changedSteps: number,
): {row: DraftRow; samples: Samples & {matchedBy: MatchedBy | null}} {
  const before = figuresOf(base, baseSteps);
  const after = figuresOf(changed, changedSteps);
  const deltaNs = after.gpuWorkNs - before.gpuWorkNs;
  const hasCalls = before.count > 0 && after.count > 0;
  const callsDeltaNs = hasCalls ? (after.count - before.count) * (before.gpuWorkNs / before.count) : deltaNs;
  return {
    row: {
      ...{kind, path, before, after, deltaNs, callsDeltaNs},
      perCallDeltaNs: deltaNs - callsDeltaNs,
      deltaPercent: before.gpuWorkNs > 0 ? (100 * deltaNs) / before.gpuWorkNs : null,
    },
    samples: {before: samplesOf(base, baseSteps), after: samplesOf(changed, changedSteps), deltaNs, matchedBy},
  };
}

function figuresOf(entries: readonly WorkEntry[], steps: number): SideFigures {
  const by = Math.max(1, steps);
  const sum = (key: 'gpuWorkNs' | 'count') => entries.reduce((all, entry) => all + entry[key], 0);
  return {gpuWorkNs: sum('gpuWorkNs') / by, count: sum('count') / by};
}

/** Null if the row is not on this side. */
function samplesOf(entries: readonly WorkEntry[], steps: number): Float64Array | null {
  if (entries.length <= 1) return entries[0]?.samplesNs ?? null;
  if (steps === 0) return Float64Array.from(entries.flatMap(({samplesNs}) => [...samplesNs]));
  return entries[0].samplesNs.map((_, step) => entries.reduce((sum, {samplesNs}) => sum + samplesNs[step], 0));
}

interface TotalWork {
  readonly workNs: number;
  readonly samplesNs: Float64Array;
}

function totalOf(
  base: TotalWork,
  changed: TotalWork,
  before: ComparedPart,
  after: ComparedPart,
  canJudge: boolean,
): ComparisonTotal {
  const deltaNs = changed.workNs - base.workNs;
  const isPerStep = before.steps > 0;
  const {noise, verdict} = isPerStep
    ? judgeTotal({before: base.samplesNs, after: changed.samplesNs, deltaNs})
    : {noise: null, verdict: 'cannot tell' as const};
  return {
    per: isPerStep ? 'step' : 'all',
    beforeNs: base.workNs,
    afterNs: changed.workNs,
    deltaNs,
    noiseNs: noise,
    verdict: canJudge ? verdict : 'cannot tell',
    beforeSteps: before.steps,
    afterSteps: after.steps,
  };
}

function totalWork(entries: readonly WorkEntry[], steps: number): TotalWork {
  return {
    workNs: figuresOf(entries, steps).gpuWorkNs,
    samplesNs: samplesOf(entries, steps) ?? new Float64Array(steps),
  };
}
