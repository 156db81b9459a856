import {laneIndex} from '../../layout/lane-index.js';
import type {Trace} from '../../trace/trace.js';
import type {PathPiece} from '../replay/critical-path.js';
import {momentKinds} from '../replay/replay-graph.js';
import type {RecordedPath} from './recorded-path.js';

/** Where a timeline draws a critical path: the lanes that it passes through in order; ns from the trace's origin. */
export interface PathStretches {
  readonly length: number;
  readonly track: Int32Array;
  readonly lane: Int32Array;
  readonly fromNs: Float64Array;
  readonly toNs: Float64Array;
}

/** No screen can show more parts of a path. Shorter parts on the same track as the previous part are merged into it. */
const mostParts = 20_000;

interface Stretch {
  readonly track: number;
  readonly lane: number;
  readonly fromNs: number;
  toNs: number;
}

/**
 * Returns the parts of a path that take time on a thread or a stream, in order. Between two of them, one waits for the
 * other. Adjacent pieces on one lane are merged.
 */
export function pathStretches(trace: Trace, {pieces, graph}: Pick<RecordedPath, 'pieces' | 'graph'>): PathStretches {
  const {moments} = graph;
  const {measuredNs} = moments;
  const {laneOf} = laneIndex(trace);
  const taking = pieces.filter(({kind, ns}) => (kind === 'run' || kind === 'cpu') && ns > 0);
  const first = taking.at(0);
  const last = taking.at(-1);
  const shortestNs = first && last ? (measuredNs[last.to] - measuredNs[first.from]) / mostParts : 0;
  const found: Stretch[] = [];
  for (const piece of taking) {
    const slice = sliceUnder(trace, graph.moments, piece);
    const [fromNs, toNs] = [measuredNs[piece.from], measuredNs[piece.to]];
    const [track, lane] = [trace.slices.track[slice], laneOf[slice]];
    const before = found.at(-1);
    const touches = before?.track === track && before.lane === lane && before.toNs === fromNs;
    const isTiny = before?.track === track && toNs - before.toNs < shortestNs;
    if (before && (touches || isTiny)) before.toNs = Math.max(before.toNs, toNs);
    else found.push({track, lane, fromNs, toNs});
  }
  return {
    length: found.length,
    track: Int32Array.from(found, ({track}) => track),
    lane: Int32Array.from(found, ({lane}) => lane),
    fromNs: Float64Array.from(found, ({fromNs}) => fromNs),
    toNs: Float64Array.from(found, ({toNs}) => toNs),
  };
}

/** Returns the slice whose time a piece is; between two slices on a thread, the slice around both. */
function sliceUnder(trace: Trace, {kind, slice}: RecordedPath['graph']['moments'], {from, to}: PathPiece): number {
  const isStart = (moment: number) => momentKinds[kind[moment]].endsWith('Start');
  if (isStart(from)) return slice[from];
  if (!isStart(to)) return slice[to];
  return sliceAround(trace, slice[from], slice[to]);
}

function sliceAround(trace: Trace, before: number, after: number): number {
  const {startNs, durationNs, track} = trace.slices;
  const lanes = laneIndex(trace);
  const fromNs = startNs[before] + durationNs[before];
  for (let above = lanes.laneOf[before] - 1; above >= 0; above--) {
    const {first, end} = lanes.lane(track[before], above);
    const at = lanes.firstEndingAfter(first, end, fromNs);
    const row = lanes.order[at];
    if (at < end && startNs[row] <= fromNs && startNs[row] + durationNs[row] >= startNs[after]) return row;
  }
  return before;
}
