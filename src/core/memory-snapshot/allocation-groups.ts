import {getOrAdd} from '../table/get-or-add.js';
import {eventsOf} from './events-of.js';
import {formatBytes} from './format-bytes.js';
import type {CodePlace} from './live-rows.js';
import {categoryOfStacks, memoryCategories} from './memory-category.js';
import type {MemorySnapshot} from './memory-snapshot.js';
import {moduleFrames, moduleName} from './module-frames.js';
import {ownFrames} from './own-frames.js';
import type {DeviceMemory} from './replay.js';

/** The groupings by which a moment's memory is stacked. */
export const memoryStackings = ['line', 'function', 'module', 'category', 'size', 'stream'] as const;
export type MemoryStacking = (typeof memoryStackings)[number];

/** Allocations by group. */
export interface AllocationGroups {
  /** Allocation → index of its group. */
  readonly groupOf: Int32Array;
  readonly names: readonly string[];
  /** Group → its line; null if it has none. */
  readonly places: readonly (CodePlace | null)[];
}

/** A group's name and line. Groups with equal names are the same. */
interface Group {
  readonly name: string;
  readonly place?: CodePlace;
}

const noLine = '(no line of your code)';
const noModule = '(no module)';
/** The group of allocations from before the history, in any grouping. */
export const noHistory = '(before the history)';

/** Groups the allocations of a device. @see docs/metrics.md#memory-snapshots */
export function allocationGroups(snapshot: MemorySnapshot, memory: DeviceMemory, by: MemoryStacking): AllocationGroups {
  const numbers = new Map<string, number>();
  const names: string[] = [];
  const places: (CodePlace | null)[] = [];
  const numberOf = ({name, place}: Group): number =>
    getOrAdd(numbers, name, () => {
      places.push(place ?? null);
      return names.push(name) - 1;
    });
  const {length} = memory.allocations;
  const groupOf = new Int32Array(length);
  const keyed = keysOf(snapshot, memory, by);
  // Millions of allocations have few distinct keys, so each name is created once.
  const known = new Map<number, number>();
  for (let i = 0; i < length; i++) {
    const key = keyed.keyAt(i);
    let number = known.get(key);
    if (number === undefined) known.set(key, (number = numberOf(keyed.groupOf(key))));
    groupOf[i] = number;
  }
  return {groupOf, names, places};
}

interface Keys {
  readonly keyAt: (allocation: number) => number;
  readonly groupOf: (key: number) => Group;
}

function keysOf(snapshot: MemorySnapshot, memory: DeviceMemory, by: MemoryStacking): Keys {
  const {allocations, device} = memory;
  if (by === 'size') return {keyAt: i => sizeClass(allocations.bytes[i]), groupOf: sizeGroup};
  if (by === 'stream') {
    const {stream} = eventsOf(snapshot, device);
    const keyAt = (i: number) =>
      allocations.fromMoment[i] === 0 ? -1 : (stream?.[allocations.fromMoment[i] - 1] ?? 0);
    return {keyAt, groupOf: key => ({name: key < 0 ? noHistory : streamName(key)})};
  }
  if (by === 'category') return categoryKeys(snapshot, memory);
  if (by === 'module') return moduleKeys(snapshot, memory);
  const {frames} = snapshot;
  const own = ownFrames(frames, snapshot.stacks);
  const keyAt = (i: number) => (allocations.stack[i] < 0 ? -1 : own[allocations.stack[i]]);
  return {
    keyAt,
    groupOf: frame => {
      if (frame < 0) return {name: noLine};
      const file = frames.files[frame];
      const short = file.split(/[\\/]/).at(-1) ?? file;
      const place = {file, line: frames.lines[frame], function: frames.names[frame]};
      return by === 'line'
        ? {name: file === '' ? place.function : `${short}:${String(place.line)} ${place.function}`, place}
        : {name: file === '' ? place.function : `${place.function} (${short})`, place};
    },
  };
}

/** Returns the module whose forward, or range, was open. */
function moduleKeys(snapshot: MemorySnapshot, {allocations: {stack}}: DeviceMemory): Keys {
  const modules = moduleFrames(snapshot);
  return {
    keyAt: i => (stack[i] < 0 ? -1 : modules[stack[i]]),
    groupOf: frame => ({name: frame < 0 ? noModule : moduleName(snapshot.frames, frame)}),
  };
}

/** Returns the category: the one recorded in the snapshot, else the one guessed from the stack. */
function categoryKeys(snapshot: MemorySnapshot, {allocations, device}: DeviceMemory): Keys {
  const ofStacks = categoryOfStacks(snapshot);
  const {category} = eventsOf(snapshot, device);
  const {fromMoment, stack} = allocations;
  const without = memoryCategories.indexOf('no stack');
  return {
    keyAt: i => {
      const told = fromMoment[i] === 0 ? -1 : (category?.[fromMoment[i] - 1] ?? -1);
      if (told >= 0) return memoryCategories.length + told;
      return stack[i] < 0 ? (fromMoment[i] === 0 ? -1 : without) : ofStacks[stack[i]];
    },
    groupOf: key => {
      if (key < 0) return {name: noHistory};
      return {
        name: key < memoryCategories.length ? memoryCategories[key] : snapshot.texts[key - memoryCategories.length],
      };
    },
  };
}

function streamName(stream: number): string {
  return stream === 0 ? 'default stream' : `stream 0x${stream.toString(16)}`;
}

/** Returns the class of a size, in powers of 4: 0 below 4 KiB, 1 below 16 KiB, and so on. */
function sizeClass(bytes: number): number {
  return bytes < 4096 ? 0 : Math.floor(Math.log2(bytes / 4096) / 2) + 1;
}

function sizeGroup(key: number): Group {
  const from = 4096 * 4 ** (key - 1);
  return {name: key === 0 ? 'below 4 KiB' : `${formatBytes(from)} to ${formatBytes(4 * from)}`};
}
