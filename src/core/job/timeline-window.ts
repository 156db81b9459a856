import type {JobTimeline, TimelineCalls, TimelineSteps} from './job-timeline.js';

/** A window of the timeline of all ranks, at the resolution of a picture. */
export interface TimelineWindow {
  readonly fromNs: number;
  readonly toNs: number;
  /** Neighbours too narrow to distinguish are merged: their `call` is -2, and their `kind` -1 if the kinds differ. */
  readonly calls: TimelineCalls;
  readonly steps: TimelineSteps;
}

/** The `call` of a mark that merges several calls. */
export const mergedCalls = -2;
/** An answer has at most about this many marks, so a picture of a thousand ranks is coarser. */
const mostMarks = 60_000;

/** Returns the content of a window, at the resolution of a picture `pixels` wide. */
export function timelineWindow(
  timeline: JobTimeline,
  {fromNs, toNs}: {readonly fromNs: number; readonly toNs: number},
  pixels: number,
): TimelineWindow {
  const {calls, steps} = timeline;
  const rows = 1 + (calls.row.at(-1) ?? 0);
  const columns = Math.max(1, Math.min(pixels, mostMarks / (rows * timeline.lanes)));
  const leastNs = (toNs - fromNs) / columns;
  return {
    ...{fromNs, toNs},
    calls: pickCalls(merged(calls, timeline.lanes, {fromNs, toNs, leastNs}), calls),
    steps: pickSteps(steps, {fromNs, toNs, leastNs}),
  };
}

interface Part {
  readonly fromNs: number;
  readonly toNs: number;
  readonly leastNs: number;
}

/** A mark: the first of its calls, and their merged values. */
interface Mark {
  readonly first: number;
  call: number;
  kind: number;
  endNs: number;
  waitNs: number;
}

function merged(calls: TimelineCalls, lanes: number, {fromNs, toNs, leastNs}: Part): Mark[] {
  const marks: Mark[] = [];
  const last = new Map<number, Mark>();
  for (let at = 0; at < calls.row.length; at++) {
    const [startNs, endNs] = [calls.startNs[at], calls.endNs[at]];
    if (endNs < fromNs || startNs > toNs) continue;
    const place = calls.row[at] * lanes + calls.lane[at];
    const before = last.get(place);
    const isNarrow = endNs - startNs < leastNs;
    if (before && isNarrow && startNs - calls.startNs[before.first] < leastNs) {
      before.call = mergedCalls;
      if (before.kind !== calls.kind[at]) before.kind = -1;
      before.endNs = Math.max(before.endNs, endNs);
      before.waitNs += calls.waitNs[at];
      continue;
    }
    const mark = {first: at, call: calls.call[at], kind: calls.kind[at], endNs, waitNs: calls.waitNs[at]};
    last.set(place, mark);
    marks.push(mark);
  }
  return marks;
}

function pickCalls(marks: readonly Mark[], {row, lane, startNs}: TimelineCalls): TimelineCalls {
  return {
    row: Uint32Array.from(marks, ({first}) => row[first]),
    lane: Uint8Array.from(marks, ({first}) => lane[first]),
    kind: Int32Array.from(marks, ({kind}) => kind),
    call: Int32Array.from(marks, ({call}) => call),
    startNs: Float64Array.from(marks, ({first}) => startNs[first]),
    endNs: Float64Array.from(marks, ({endNs}) => endNs),
    waitNs: Float64Array.from(marks, ({waitNs}) => waitNs),
  };
}

/** Picks the steps of a window, without those narrower than a mark. */
function pickSteps({row, number, startNs, endNs}: TimelineSteps, {fromNs, toNs, leastNs}: Part): TimelineSteps {
  const kept = [...row.keys()].filter(
    at => endNs[at] >= fromNs && startNs[at] <= toNs && endNs[at] - startNs[at] >= leastNs,
  );
  return {
    row: Uint32Array.from(kept, at => row[at]),
    number: Float64Array.from(kept, at => number[at]),
    startNs: Float64Array.from(kept, at => startNs[at]),
    endNs: Float64Array.from(kept, at => endNs[at]),
  };
}

/** Returns the extent of a step over all ranks; null if no rank has it. */
export function stepWindow({steps}: Pick<JobTimeline, 'steps'>, wanted: number): {fromNs: number; toNs: number} | null {
  let [fromNs, toNs] = [Infinity, -Infinity];
  steps.number.forEach((number, at) => {
    if (number !== wanted) return;
    [fromNs, toNs] = [Math.min(fromNs, steps.startNs[at]), Math.max(toNs, steps.endNs[at])];
  });
  return fromNs < toNs ? {fromNs, toNs} : null;
}
