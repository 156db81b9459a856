import type {LiveRow} from './live-rows.js';
import {placeOf} from './live-rows.js';
import type {MemorySnapshot} from './memory-snapshot.js';
import {ownFrames} from './own-frames.js';
import type {DeviceMemory} from './replay.js';

/** Blocks of a line that were allocated within the history and are never freed in it. */
export interface KeptRow extends LiveRow {
  /** The first and the last event that allocated one. */
  readonly firstEvent: number;
  readonly lastEvent: number;
  /** Blocks of the same line that were allocated within the history, freed ones included. */
  readonly allocated: number;
}

/**
 * What stays: blocks that were allocated within the history and are live at its end, by line, the most bytes first. A
 * line that goes on adding blocks without freeing any may be a leak; parameters and optimizer state stay, too.
 */
export function keptRows(snapshot: MemorySnapshot, {allocations, eventCount}: DeviceMemory): KeptRow[] {
  const own = ownFrames(snapshot.frames, snapshot.stacks);
  const {length, bytes, stack, fromMoment, untilMoment} = allocations;
  const groups = new Map<number, {bytes: number; blocks: number; first: number; last: number; allocated: number}>();
  for (let i = 0; i < length; i++) {
    if (fromMoment[i] === 0) continue;
    const key = stack[i] < 0 ? -1 : own[stack[i]];
    let group = groups.get(key);
    if (!group) groups.set(key, (group = {bytes: 0, blocks: 0, first: Infinity, last: -1, allocated: 0}));
    group.allocated++;
    if (untilMoment[i] <= eventCount) continue;
    group.bytes += bytes[i];
    group.blocks++;
    group.first = Math.min(group.first, fromMoment[i] - 1);
    group.last = Math.max(group.last, fromMoment[i] - 1);
  }
  return [...groups]
    .filter(([, {blocks}]) => blocks > 0)
    .map(([key, {bytes: sum, blocks, first, last, allocated}]) => ({
      ...placeOf(snapshot, key),
      bytes: sum,
      blocks,
      firstEvent: first,
      lastEvent: last,
      allocated,
    }))
    .sort((a, b) => b.bytes - a.bytes || a.firstEvent - b.firstEvent);
}
