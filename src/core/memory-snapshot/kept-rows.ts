import {lowerBound} from '../table/search.js';
import type {LiveRow} from './live-rows.js';
import {placeOf} from './live-rows.js';
import {memorySteps} from './memory-steps.js';
import type {MemorySnapshot} from './memory-snapshot.js';
import {ownFrames} from './own-frames.js';
import type {DeviceMemory} from './replay.js';

/** Blocks of a line that were allocated within the history and never freed in it. */
export interface KeptRow extends LiveRow {
  /** The first and the last event that allocated one of them. */
  readonly firstEvent: number;
  readonly lastEvent: number;
  /** Blocks of the same line allocated within the history, including freed ones. */
  readonly allocated: number;
  /** Number of steps in which it allocated a block that was kept; a leaking line has many. */
  readonly steps: number;
}

/** Rows, with the steps that they count. */
export interface KeptMemory {
  readonly rows: readonly KeptRow[];
  readonly steps: number;
  /** Whether steps are guessed from an optimizer's. */
  readonly isGuessed: boolean;
}

/**
 * Returns kept blocks: allocated within the history and live at its end, by line, the most bytes first. A line that
 * keeps adding blocks without freeing any may be a leak; parameters and optimizer state are kept, too.
 */
export function keptMemory(snapshot: MemorySnapshot, {allocations, device, eventCount}: DeviceMemory): KeptMemory {
  const {steps, isGuessed} = memorySteps(snapshot, device);
  const starts = Int32Array.from(steps, ({fromMoment: start}) => start);
  const stepAt = (moment: number) => {
    const step = lowerBound(starts, moment) - 1;
    return step >= 0 && moment <= steps[step].toMoment ? step : -1;
  };
  const own = ownFrames(snapshot.frames, snapshot.stacks);
  const {length, bytes, stack, fromMoment, untilMoment} = allocations;
  const groups = new Map<number, Group>();
  for (let i = 0; i < length; i++) {
    if (fromMoment[i] === 0) continue;
    const key = stack[i] < 0 ? -1 : own[stack[i]];
    let group = groups.get(key);
    if (!group)
      groups.set(key, (group = {bytes: 0, blocks: 0, first: Infinity, last: -1, allocated: 0, steps: new Set()}));
    group.allocated++;
    if (untilMoment[i] <= eventCount) continue;
    group.bytes += bytes[i];
    group.blocks++;
    group.first = Math.min(group.first, fromMoment[i] - 1);
    group.last = Math.max(group.last, fromMoment[i] - 1);
    const step = stepAt(fromMoment[i]);
    if (step >= 0) group.steps.add(step);
  }
  const rows = [...groups]
    .filter(([, {blocks}]) => blocks > 0)
    .map(([key, {bytes: sum, blocks, first, last, allocated, steps: of}]) => ({
      ...placeOf(snapshot, key),
      bytes: sum,
      blocks,
      firstEvent: first,
      lastEvent: last,
      allocated,
      steps: of.size,
    }))
    .sort((a, b) => b.bytes - a.bytes || a.firstEvent - b.firstEvent);
  return {rows, steps: steps.length, isGuessed};
}

/** Blocks of a line while they are summed. */
interface Group {
  bytes: number;
  blocks: number;
  first: number;
  last: number;
  allocated: number;
  readonly steps: Set<number>;
}
