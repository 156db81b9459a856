import type {MemorySnapshot} from './memory-snapshot.js';
import {ownFrames} from './own-frames.js';
import type {DeviceMemory} from './replay.js';
import {segmentAt} from './segment-at.js';

export const memoryGroupings = ['line', 'stack', 'segment'] as const;
/** The keys by which live blocks are summed. */
export type MemoryGrouping = (typeof memoryGroupings)[number];

/** A place in code. */
export interface CodePlace {
  readonly file: string | null;
  readonly line: number | null;
  readonly function: string | null;
}

/** Live blocks at a moment with a common line, stack or segment. */
export interface LiveRow extends CodePlace {
  readonly bytes: number;
  readonly blocks: number;
  /** By stack: from the innermost frame outwards. */
  readonly stack?: readonly CodePlace[];
  /** By segment: its beginning (null for blocks outside every known segment), and its size. */
  readonly address?: number | null;
  readonly segmentBytes?: number | null;
}

interface Group {
  /** The frame by line, the stack by stack, the segment by segment; -1 if there is none. */
  readonly key: number;
  bytes: number;
  blocks: number;
}

const nowhere: CodePlace = {file: null, line: null, function: null};

/**
 * Returns the sums of live blocks at a moment, the most bytes first. The rows' bytes add up to the bytes allocated at
 * that moment.
 *
 * By line and by stack, a row's place is the innermost frame of the user's own code. By line, blocks without such a
 * frame form one row with a null file and line.
 */
export function liveRows(
  snapshot: MemorySnapshot,
  memory: DeviceMemory,
  moment: number,
  grouping: MemoryGrouping,
): LiveRow[] {
  const own = ownFrames(snapshot.frames, snapshot.stacks);
  const groups = [...sumGroups(memory, moment, keyOf(snapshot, memory, own, grouping)).values()];
  return groups.sort((a, b) => b.bytes - a.bytes || b.blocks - a.blocks || a.key - b.key).map(group => rowOf(group));

  function rowOf({key, bytes, blocks}: Group): LiveRow {
    const counts = {bytes, blocks};
    if (grouping === 'line') return {...placeOf(snapshot, key), ...counts};
    if (grouping === 'stack') {
      return {...placeOf(snapshot, key < 0 ? -1 : own[key]), ...counts, stack: stackPlaces(snapshot, key)};
    }
    const {segments} = snapshot;
    if (key < 0) return {...nowhere, ...counts, address: null, segmentBytes: null};
    const place = segments.stack[key] < 0 ? nowhere : placeOf(snapshot, own[segments.stack[key]]);
    return {...place, ...counts, address: segments.address[key], segmentBytes: segments.bytes[key]};
  }
}

function sumGroups(
  {allocations}: DeviceMemory,
  moment: number,
  keyAt: (allocation: number) => number,
): Map<number, Group> {
  const {length, bytes, fromMoment, untilMoment} = allocations;
  const groups = new Map<number, Group>();
  for (let i = 0; i < length; i++) {
    if (moment < fromMoment[i] || moment >= untilMoment[i]) continue;
    const key = keyAt(i);
    let group = groups.get(key);
    if (!group) groups.set(key, (group = {key, bytes: 0, blocks: 0}));
    group.bytes += bytes[i];
    group.blocks++;
  }
  return groups;
}

function keyOf(
  snapshot: MemorySnapshot,
  {allocations, device}: DeviceMemory,
  own: Int32Array,
  grouping: MemoryGrouping,
): (allocation: number) => number {
  if (grouping === 'segment') {
    const find = segmentAt(snapshot.segments, device);
    return i => find(allocations.address[i]);
  }
  if (grouping === 'stack') return i => allocations.stack[i];
  return i => (allocations.stack[i] < 0 ? -1 : own[allocations.stack[i]]);
}

/** Returns the place of a frame; an empty one for -1. */
export function placeOf({frames}: MemorySnapshot, frame: number): CodePlace {
  if (frame < 0) return nowhere;
  return {file: frames.files[frame] || null, line: frames.lines[frame] || null, function: frames.names[frame]};
}

/** Returns the frames of a stack from the innermost outwards. */
export function stackPlaces(snapshot: MemorySnapshot, stack: number): CodePlace[] {
  const {parent, frame} = snapshot.stacks;
  const places: CodePlace[] = [];
  for (let row = stack; row >= 0; row = parent[row]) places.push(placeOf(snapshot, frame[row]));
  return places.reverse();
}
