import {comparability, type Comparability} from './comparability.js';
import {workPart, hasSteps, type WorkPart} from '../gpu-work/work-part.js';
import {LaunchedPlaces} from './launched-places.js';
import {matchEntries, type MatchedBy, type MatchedEntry} from './match-entries.js';
import {alikeRepeats} from './alike-repeats.js';
import {noRepeats, RepeatedRuns, type Repeats} from './repeated-runs.js';
import {judgeRows, judgeTotal, runNoiseOf, type ComparisonVerdict, type Samples} from './row-verdicts.js';
import {haveShapes, type SelectedRun} from './run-comparison-input.js';
import type {RunNoise} from './run-noise.js';
import {askWork, type WorkAnswer} from '../gpu-work/ask-work.js';
import {sumWork, type WorkEntry} from '../gpu-work/work-entry.js';
import {workKinds, type WorkKind} from '../gpu-work/work-groups.js';

/** Figures of one side of a row: per step, or in total. */
interface SideFigures {
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
  /** What was matched to what; absent if it is called as the row on each side that has it. */
  readonly matched?: {readonly before: readonly string[]; readonly after: readonly string[]};
}

export interface ComparisonTotal {
  readonly per: 'step' | 'all';
  readonly beforeNs: number;
  readonly afterNs: number;
  readonly deltaNs: number;
  readonly noiseNs: number | null;
  readonly verdict: ComparisonVerdict;
  /** Steps on either side; 0 if figures are totals. */
  readonly beforeSteps: number;
  readonly afterSteps: number;
}

/** The result of comparing two runs. */
export interface RunComparison {
  readonly comparable: Comparability;
  readonly total: ComparisonTotal;
  readonly rows: readonly ComparisonRow[];
  readonly noise: ComparisonNoise;
}

/** The source of a comparison's noise. */
export interface ComparisonNoise {
  /** Only the steps of the two runs, or also repeated runs of the same code. */
  readonly from: 'steps' | 'runs';
  /** The number of runs on either side, including the compared one. */
  readonly baseRuns: number;
  readonly changedRuns: number;
  /** The noise between runs, used in addition to the steps. */
  readonly betweenRuns: RunNoise;
}

/** Returns the compared parts of two runs: their steps if both have some. @throws TraceError as `compareRuns` */
export function comparedParts(base: SelectedRun, changed: SelectedRun): readonly [WorkPart, WorkPart] {
  const isPerStep = [base, changed].every(({trace, selection}) => hasSteps(trace, selection));
  const partOf = ({trace, selection}: SelectedRun) => workPart(trace, selection, isPerStep);
  return [partOf(base), partOf(changed)];
}

/**
 * Compares the GPU work of two runs. The rows of each kind add up to the total's difference. Ranges have rows even
 * without GPU work of their own; operators and modules do not.
 *
 * @param kinds the kinds of rows; all if absent
 * @param repeats further runs of the same code on either side, which show the noise between runs
 * @throws TraceError `selection/no-match`, `trace/too-many-open-ranges`
 * @see docs/metrics.md#compare
 */
export function compareRuns(
  base: SelectedRun,
  changed: SelectedRun,
  kinds: readonly WorkKind[] = workKinds,
  repeats: Repeats = noRepeats,
): RunComparison {
  const [before, after] = comparedParts(base, changed);
  const isPerStep = before.steps > 0;
  const sameParts = before.trace === after.trace && base.selection === changed.selection;
  const isByShapes = haveShapes([base, changed]);
  const shapesOf = ({shapes = null}: SelectedRun) => (isByShapes ? shapes : null);
  const answersBy = (kind: WorkKind) => {
    const ofBase = askWork(before, kind, shapesOf(base));
    return [ofBase, sameParts ? ofBase : askWork(after, kind, shapesOf(changed))] as const;
  };
  // Every kind covers all the work; classes have the fewest rows.
  const classes = answersBy('class');
  const comparable = comparability(base, changed, before, after, [classes[0].rows, classes[1].rows]);
  const sides = [
    {run: base, part: before, classes: classes[0].rows},
    {run: changed, part: after, classes: classes[1].rows},
  ] as const;
  const repeated = new RepeatedRuns(alikeRepeats(repeats, ...sides), isPerStep);
  const canJudge = comparable.verdict !== 'no';
  const launched = [new LaunchedPlaces(before), new LaunchedPlaces(after)] as const;
  const drafts = kinds.flatMap(kind => {
    const [ofBase, ofChanged] = kind === 'class' ? classes : answersBy(kind);
    return matchEntries(kind, ofBase.rows, ofChanged.rows, launched)
      .map(match => draftRow(kind, match, before.steps, after.steps, repeated))
      .filter(({row}) => kind === 'range' || row.before.gpuWorkNs + row.after.gpuWorkNs > 0);
  });
  const samples = drafts.map(draft => draft.samples);
  const noise = runNoiseOf(samples);
  const judged = judgeRows(samples, noise);
  const rows = drafts.map(({row, samples}, at): ComparisonRow => {
    const {noise: ofRow, verdict} = judged[at];
    // Noise of the time per call, times the number of calls, is noise of the work.
    const noiseNs = ofRow === null ? null : ofRow * (isPerStep ? 1 : row.after.count);
    return {...row, noiseNs, verdict: canJudge ? verdict : 'cannot tell', matchedBy: samples.matchedBy};
  });
  return {
    comparable,
    total: totalOf(classes, [before.steps, after.steps], canJudge, noise, repeated),
    rows: rows.sort(
      (a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind) || Math.abs(b.deltaNs) - Math.abs(a.deltaNs),
    ),
    noise: {
      ...{from: noise.from, baseRuns: repeated.counts.before, changedRuns: repeated.counts.after},
      betweenRuns: noise,
    },
  };
}

/** A row before it is judged. */
export type DraftRow = Omit<ComparisonRow, 'noiseNs' | 'verdict' | 'matchedBy'>;

/** Returns the figures of a row, and the samples by which it is judged. */
export function draftRow(
  kind: WorkKind,
  {path, matchedBy, base, changed}: MatchedEntry,
  baseSteps: number,
  changedSteps: number,
  repeated: RepeatedRuns,
): {row: DraftRow; samples: Samples & {matchedBy: MatchedBy | null}} {
  const before = figuresOf(base, baseSteps);
  const after = figuresOf(changed, changedSteps);
  const deltaNs = after.gpuWorkNs - before.gpuWorkNs;
  const hasCalls = before.count > 0 && after.count > 0;
  const meanOf = ({gpuWorkNs, count}: SideFigures) => (baseSteps > 0 ? gpuWorkNs : gpuWorkNs / Math.max(1, count));
  const own = {
    before: base.length > 0 ? meanOf(before) : null,
    after: changed.length > 0 ? meanOf(after) : null,
  };
  const callsDeltaNs = hasCalls ? (after.count - before.count) * (before.gpuWorkNs / before.count) : deltaNs;
  return {
    row: {
      ...{kind, path, before, after, deltaNs, callsDeltaNs},
      perCallDeltaNs: deltaNs - callsDeltaNs,
      deltaPercent: before.gpuWorkNs > 0 ? (100 * deltaNs) / before.gpuWorkNs : null,
      ...([...base, ...changed].some(entry => entry.path !== path) && {
        matched: {before: base.map(entry => entry.path), after: changed.map(entry => entry.path)},
      }),
    },
    samples: {
      ...{before: samplesOf(base, baseSteps), after: samplesOf(changed, changedSteps), deltaNs, matchedBy},
      runMeans: repeated.means(kind, base, changed, own),
    },
  };
}

function figuresOf(entries: readonly WorkEntry[], steps: number): SideFigures {
  const by = Math.max(1, steps);
  const {gpuWorkNs, count} = sumWork(entries, steps);
  return {gpuWorkNs: gpuWorkNs / by, count: count / by};
}

/** Null if the row is absent on this side. */
function samplesOf(entries: readonly WorkEntry[], steps: number): Float64Array | null {
  return entries.length === 0 ? null : sumWork(entries, steps).samplesNs;
}

function totalOf(
  [base, changed]: readonly [WorkAnswer, WorkAnswer],
  [beforeSteps, afterSteps]: readonly [number, number],
  canJudge: boolean,
  ofRuns: RunNoise,
  repeated: RepeatedRuns,
): ComparisonTotal {
  const beforeNs = base.total.gpuWorkNs / Math.max(1, beforeSteps);
  const afterNs = changed.total.gpuWorkNs / Math.max(1, afterSteps);
  const deltaNs = afterNs - beforeNs;
  const isPerStep = beforeSteps > 0;
  const samples = {before: base.total.samplesNs, after: changed.total.samplesNs, deltaNs};
  const runMeans = repeated.means('class', base.rows, changed.rows, {before: beforeNs, after: afterNs});
  const {noise, verdict} = isPerStep
    ? judgeTotal({...samples, runMeans}, ofRuns)
    : {noise: null, verdict: 'cannot tell' as const};
  return {
    per: isPerStep ? 'step' : 'all',
    beforeNs,
    afterNs,
    deltaNs,
    noiseNs: noise,
    verdict: canJudge ? verdict : 'cannot tell',
    beforeSteps,
    afterSteps,
  };
}
