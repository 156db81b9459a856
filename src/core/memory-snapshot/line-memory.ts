import {placeOf} from './live-rows.js';
import type {MemorySnapshot} from './memory-snapshot.js';
import {ownFrames} from './own-frames.js';
import type {DeviceMemory} from './replay.js';

/** The memory that a line of the user's own code holds on one device. */
export interface LineMemory {
  readonly file: string;
  readonly line: number;
  readonly function: string;
  /** The most that the line's blocks hold together at any moment. */
  readonly peakBytes: number;
  /** What they hold at the device's peak. */
  readonly heldBytes: number;
  /** Sizes of the largest blocks live at the device's peak, the largest first. */
  readonly largest: readonly number[];
  /** Number of blocks live at the device's peak. */
  readonly heldBlocks: number;
}

const mostBlocks = 5;

/** Returns each line that is the innermost own frame of an allocation, the one that holds the most first. */
export function lineMemory(snapshot: MemorySnapshot, memory: DeviceMemory): LineMemory[] {
  const {length, stack, fromMoment, untilMoment, bytes} = memory.allocations;
  const own = ownFrames(snapshot.frames, snapshot.stacks);
  const ofFrame = new Map<number, number[]>();
  for (let i = 0; i < length; i++) {
    const frame = stack[i] < 0 ? -1 : own[stack[i]];
    if (frame < 0 || snapshot.frames.files[frame] === '') continue;
    const list = ofFrame.get(frame);
    if (list) list.push(i);
    else ofFrame.set(frame, [i]);
  }
  return [...ofFrame].map(([frame, rows]) => lineOf(frame, rows)).sort((a, b) => b.heldBytes - a.heldBytes);

  function lineOf(frame: number, rows: readonly number[]): LineMemory {
    const isHeld = (i: number) => fromMoment[i] <= memory.peakMoment && memory.peakMoment < untilMoment[i];
    const held = rows.filter(isHeld).map(i => bytes[i]);
    const {file, line, function: name} = placeOf(snapshot, frame);
    return {
      file: file ?? '',
      line: line ?? 0,
      function: name ?? '',
      peakBytes: peakOf(rows),
      heldBytes: held.reduce((sum, size) => sum + size, 0),
      largest: held.sort((a, b) => b - a).slice(0, mostBlocks),
      heldBlocks: held.length,
    };
  }

  /** Returns the peak of some allocations together: at a moment, frees come before allocations. */
  function peakOf(rows: readonly number[]): number {
    const changes = rows.flatMap(i => [
      {moment: fromMoment[i], bytes: bytes[i]},
      {moment: untilMoment[i], bytes: -bytes[i]},
    ]);
    changes.sort((a, b) => a.moment - b.moment || a.bytes - b.bytes);
    let now = 0;
    let most = 0;
    for (const change of changes) {
      now += change.bytes;
      most = Math.max(most, now);
    }
    return most;
  }
}
