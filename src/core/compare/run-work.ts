import {insideNs} from '../attribution/chosen.js';
import {groupRows} from '../table/group-rows.js';
import type {ComparedPart} from './compared-part.js';
import {workGroups, type WorkGroups, type WorkKind, type WorkLabel} from './work-groups.js';

/** The GPU work of one row of a run. */
export interface WorkEntry extends WorkLabel {
  /** Self work, including backward, over the whole part; whole ns. */
  readonly gpuWorkNs: number;
  /** Number of instances of a range, or of operations. */
  readonly count: number;
  /**
   * The samples for the noise: the work in each step, or, without steps, the mean time of a call in each of up to 30
   * blocks of consecutive calls; ns.
   */
  readonly samplesNs: Float64Array;
}

/** The number of blocks of calls. Their means also show a drift, which single calls would hide. */
const mostBlocks = 30;

/** Returns the rows of one kind with calls or work in a part of a trace. They add up to all its GPU work. */
export function runWork(part: ComparedPart, kind: WorkKind): WorkEntry[] {
  const groups = workGroups(part.trace, kind);
  const units = measureUnits(part, groups);
  const samplesOf = part.steps > 0 ? stepSamples(part, groups, units) : callSamples(groups, units);
  const work = new Float64Array(groups.labels.length);
  const count = new Float64Array(groups.labels.length);
  for (let unit = 0; unit < units.groupOf.length; unit++) {
    const group = units.groupOf[unit];
    if (group < 0) continue;
    work[group] += units.ns[unit];
    count[group] += units.isCall[unit];
  }
  return groups.labels.flatMap((label, group) => {
    if (work[group] === 0 && count[group] === 0) return [];
    return [{...label, gpuWorkNs: work[group], count: count[group], samplesNs: samplesOf(group)}];
  });
}

/** The units of `WorkGroups`. */
interface Units {
  /** -1 if the unit is not in the part. */
  readonly groupOf: Int32Array;
  readonly ns: Float64Array;
  /** 1 if it counts as a call. An instance that began before the part has work in it, but is not one of its calls. */
  readonly isCall: Uint8Array;
}

function measureUnits(part: ComparedPart, groups: WorkGroups): Units {
  const {trace, chosen, stepOf, isSliceIn} = part;
  const {rangeRows, groupOfRange, rangeOf} = groups;
  const {slices, gpuOperations} = trace;
  const ranges = rangeRows.length;
  const length = ranges + gpuOperations.length;
  const units: Units = {
    groupOf: new Int32Array(length).fill(-1),
    ns: new Float64Array(length),
    isCall: new Uint8Array(length),
  };
  for (let range = 0; range < ranges; range++) {
    if (groupOfRange[range] < 0 || !isSliceIn(rangeRows[range])) continue;
    units.groupOf[range] = groupOfRange[range];
    units.isCall[range] = 1;
  }
  for (let operation = 0; operation < gpuOperations.length; operation++) {
    if (stepOf(operation) < 0) continue;
    const range = rangeOf(operation);
    const unit = range < 0 ? ranges + operation : range;
    const slice = gpuOperations.slice[operation];
    units.ns[unit] += insideNs(slices.startNs[slice], slices.durationNs[slice], chosen);
    if (range >= 0) units.groupOf[unit] = groupOfRange[range];
    else {
      units.groupOf[unit] = groups.groupOf(operation);
      units.isCall[unit] = 1;
    }
  }
  return units;
}

/** Returns a function that gives a group's work in each step. */
function stepSamples(part: ComparedPart, groups: WorkGroups, units: Units): (group: number) => Float64Array {
  const {steps, stepOf, trace, chosen} = part;
  const {slices, gpuOperations} = trace;
  const ns = new Float64Array(groups.labels.length * steps);
  const ranges = groups.rangeRows.length;
  for (let operation = 0; operation < gpuOperations.length; operation++) {
    const step = stepOf(operation);
    if (step < 0) continue;
    const range = groups.rangeOf(operation);
    const group = units.groupOf[range < 0 ? ranges + operation : range];
    const slice = gpuOperations.slice[operation];
    ns[group * steps + step] += insideNs(slices.startNs[slice], slices.durationNs[slice], chosen);
  }
  return group => ns.subarray(group * steps, (group + 1) * steps);
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
