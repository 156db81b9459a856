import {groupRows} from '../table/group-rows.js';
import type {Selection} from '../scope/selection.js';
import {sumWork, type WorkEntry, type WorkSum} from './work-entry.js';
import type {WorkPart} from './work-part.js';
import type {RecordedShapes} from './recorded-shapes.js';
import {workGroups, type WorkGroups, type WorkKind} from './work-groups.js';

/** The number of blocks of calls. Their means also show a drift, which single calls would hide. */
const mostBlocks = 30;

/** What is asked of a profile, so that it can be asked again: `askWork(workPart(trace, selection, isPerStep), by)`. */
interface WorkQuestion {
  readonly selection: Selection;
  readonly isPerStep: boolean;
  readonly by: WorkKind;
}

/** The GPU work of a part of a profile, in rows of one kind. */
export interface WorkAnswer {
  readonly question: WorkQuestion;
  /** The rows with calls or work. They add up to the total, whatever their kind. */
  readonly rows: readonly WorkEntry[];
  readonly total: WorkSum;
  /** The share of the total in rows that are no buckets, from 0 to 1; 0 without work. */
  readonly coverage: number;
}

/**
 * Returns the GPU work of a part of a profile.
 *
 * @param shapes if given, operators with the same name and different shapes are separate rows
 * @throws TraceError `trace/too-many-open-ranges`
 */
export function askWork(part: WorkPart, by: WorkKind, shapes: RecordedShapes | null = null): WorkAnswer {
  const groups = workGroups(part.trace, by, shapes);
  const {work, count, samplesOf} = part.steps > 0 ? measureSteps(part, groups) : measureCalls(part, groups);
  const rows = groups.labels.flatMap((label, group) => {
    if (work[group] === 0 && count[group] === 0) return [];
    return [{...label, gpuWorkNs: work[group], count: count[group], samplesNs: samplesOf(group)}];
  });
  const total = sumWork(rows, part.steps);
  const namedNs = rows.reduce((sum, {gpuWorkNs, isBucket}) => sum + (isBucket ? 0 : gpuWorkNs), 0);
  return {
    question: {selection: part.selection, isPerStep: part.steps > 0, by},
    rows,
    total,
    coverage: total.gpuWorkNs > 0 ? namedNs / total.gpuWorkNs : 0,
  };
}

/** Figures by group. */
interface MeasuredGroups {
  readonly work: Float64Array;
  readonly count: Float64Array;
  readonly samplesOf: (group: number) => Float64Array;
}

/** Measures the groups. Samples are the work in each step. */
function measureSteps({steps, stepOf, operationNs, isSliceIn}: WorkPart, groups: WorkGroups): MeasuredGroups {
  const {rangeRows, groupOfRange, rangeOf, groupOf, labels} = groups;
  const work = new Float64Array(labels.length);
  const count = new Float64Array(labels.length);
  const stepNs = new Float64Array(labels.length * steps);
  for (let range = 0; range < rangeRows.length; range++) {
    if (isSliceIn(rangeRows[range])) count[groupOfRange[range]]++;
  }
  for (let operation = 0; operation < stepOf.length; operation++) {
    const step = stepOf[operation];
    if (step < 0) continue;
    const group = groupOf[operation];
    const ns = operationNs[operation];
    work[group] += ns;
    stepNs[group * steps + step] += ns;
    if (rangeOf === null || rangeOf[operation] < 0) count[group]++;
  }
  return {work, count, samplesOf: group => stepNs.subarray(group * steps, (group + 1) * steps)};
}

/** Measures the groups. Samples are the mean time of a call in blocks of consecutive calls. */
function measureCalls(part: WorkPart, groups: WorkGroups): MeasuredGroups {
  const units = measureUnits(part, groups);
  const work = new Float64Array(groups.labels.length);
  const count = new Float64Array(groups.labels.length);
  for (let unit = 0; unit < units.groupOf.length; unit++) {
    const group = units.groupOf[unit];
    if (group < 0) continue;
    work[group] += units.ns[unit];
    count[group] += units.isCall[unit];
  }
  return {work, count, samplesOf: callSamples(groups, units)};
}

/** The units of `WorkGroups`. */
interface Units {
  /** -1 if the unit is not in the part. */
  readonly groupOf: Int32Array;
  readonly ns: Float64Array;
  /** 1 if it counts as a call. An instance that began before the part has work in it, but is not one of its calls. */
  readonly isCall: Uint8Array;
}

function measureUnits({stepOf, operationNs, isSliceIn}: WorkPart, groups: WorkGroups): Units {
  const {rangeRows, groupOfRange, rangeOf, groupOf} = groups;
  const ranges = rangeRows.length;
  const length = ranges + stepOf.length;
  const units: Units = {
    groupOf: new Int32Array(length).fill(-1),
    ns: new Float64Array(length),
    isCall: new Uint8Array(length),
  };
  for (let range = 0; range < ranges; range++) {
    if (!isSliceIn(rangeRows[range])) continue;
    units.groupOf[range] = groupOfRange[range];
    units.isCall[range] = 1;
  }
  for (let operation = 0; operation < stepOf.length; operation++) {
    if (stepOf[operation] < 0) continue;
    const range = rangeOf === null ? -1 : rangeOf[operation];
    const unit = range < 0 ? ranges + operation : range;
    units.ns[unit] += operationNs[operation];
    units.groupOf[unit] = groupOf[operation];
    if (range < 0) units.isCall[unit] = 1;
  }
  return units;
}

/** Returns a function that gives the mean time of a group's calls in blocks of consecutive calls. */
function callSamples(groups: WorkGroups, units: Units): (group: number) => Float64Array {
  const groupOfCall = units.groupOf.map((group, unit) => (units.isCall[unit] === 1 ? group : -1));
  const {rows, offsets} = groupRows(groupOfCall, groups.labels.length);
  return group => {
    const [first, end] = [offsets[group], offsets[group + 1]];
    const blocks = Math.min(mostBlocks, end - first);
    return Float64Array.from({length: blocks}, (_, block) => {
      const from = first + Math.floor((block * (end - first)) / blocks);
      const to = first + Math.floor(((block + 1) * (end - first)) / blocks);
      let sum = 0;
      for (let at = from; at < to; at++) sum += units.ns[rows[at]];
      return sum / (to - from);
    });
  };
}
