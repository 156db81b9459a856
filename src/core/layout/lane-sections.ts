import {release} from '../table/table.js';
import {assignLanes, LaneNest} from '../trace/lanes.js';
import {kindMask, sliceKinds, type SliceKind, type SliceTable} from '../trace/slices.js';
import type {Trace, Track} from '../trace/trace.js';

/**
 * The parts of a track, from top to bottom: everything, or for a thread its ranges and operators, its CUDA API calls
 * and its Python frames, which in a single stack would push each other out of view.
 */
export type SectionKind = 'all' | 'ranges' | 'calls' | 'frames';

/** Lanes of a track with one sort of slices. */
export interface LaneSection {
  readonly kind: SectionKind;
  readonly firstLane: number;
  readonly laneCount: number;
  readonly sliceCount: number;
}

const kindsOfSection: Readonly<Record<'calls' | 'frames', ReadonlySet<SliceKind>>> = {
  calls: new Set<SliceKind>(['cuda_runtime', 'cuda_driver', 'cuda_sync', 'overhead']),
  frames: new Set<SliceKind>(['python_function']),
};
const isCall = kindMask(kindsOfSection.calls);
const isFrame = kindMask(kindsOfSection.frames);
/** Kind of slice → its index in `threadParts`. */
export const partOfKind = Uint8Array.from(sliceKinds, (_, kind) => (isFrame[kind] === 1 ? 2 : isCall[kind]));
export const threadParts = ['ranges', 'calls', 'frames'] as const;

/** Narrow if there are few lanes. */
export type LaneColumn = Uint16Array | Uint8Array;

/** Row → lane, and track → sections. */
export interface DrawnLanes {
  readonly laneOf: LaneColumn;
  readonly sections: LaneSection[][];
}

/** Returns the lanes on which slices are drawn. A thread's sorts of slices are nested separately. */
export function drawnLanes({slices, tracks}: Pick<Trace, 'slices' | 'tracks'>): DrawnLanes {
  const laneOf = new Uint16Array(slices.length);
  const sections = tracks.map(track => sectionsOf(slices, track, laneOf));
  const mostLanes = sections.reduce((most, ofTrack) => Math.max(most, laneCountOf(ofTrack)), 0);
  if (mostLanes > 256) return {laneOf, sections};
  const narrow = new Uint8Array(laneOf);
  release(laneOf);
  return {laneOf: narrow, sections};
}

/** Returns the total number of lanes of sections. */
export function laneCountOf(sections: readonly LaneSection[]): number {
  return sections.reduce((count, {laneCount}) => count + laneCount, 0);
}

function sectionsOf(slices: SliceTable, track: Track, laneOf: Uint16Array): LaneSection[] {
  const {kind, firstSlice, endSlice} = track;
  const sliceCount = endSlice - firstSlice;
  if (sliceCount === 0) return [];
  const counts = [0, 0, 0];
  if (kind === 'thread') countParts(slices, track, counts);
  if (counts.filter(count => count > 0).length < 2) {
    const laneCount = assignLanes(slices, laneOf, firstSlice, endSlice);
    return [{kind: 'all', firstLane: 0, laneCount, sliceCount}];
  }
  const nests = threadParts.map(() => new LaneNest());
  nestParts(slices, track, nests, laneOf);
  const sections: LaneSection[] = [];
  const firstLanes: number[] = [];
  let firstLane = 0;
  for (const [part, {laneCount}] of nests.entries()) {
    firstLanes.push(firstLane);
    if (laneCount > 0) sections.push({kind: threadParts[part], firstLane, laneCount, sliceCount: counts[part]});
    firstLane += laneCount;
  }
  moveParts(slices, track, firstLanes, laneOf);
  return sections;
}

function countParts({kind}: SliceTable, {firstSlice, endSlice}: Track, counts: number[]): void {
  for (let row = firstSlice; row < endSlice; row++) counts[partOfKind[kind[row]]]++;
}

function nestParts(
  {kind, startNs, durationNs}: SliceTable,
  {firstSlice, endSlice}: Track,
  nests: readonly LaneNest[],
  laneOf: Uint16Array,
): void {
  for (let row = firstSlice; row < endSlice; row++) {
    laneOf[row] = nests[partOfKind[kind[row]]].laneOf(startNs[row], startNs[row] + durationNs[row]);
  }
}

function moveParts(
  {kind}: SliceTable,
  {firstSlice, endSlice}: Track,
  firstLanes: readonly number[],
  laneOf: Uint16Array,
): void {
  for (let row = firstSlice; row < endSlice; row++) laneOf[row] += firstLanes[partOfKind[kind[row]]];
}
