import {say} from '../base/say.js';
import {counted, formatCount, plural} from '../format/count.js';
import {formatCounterValue} from '../names/counter-value.js';
import {formatQuantity} from '../format/quantity.js';
import {theoreticalOccupancy} from '../figures/occupancy.js';
import type {Trace} from '../trace/trace.js';
import {operationOfSlice} from '../figures/operation-of-slice.js';
import type {SliceArgument} from './slice-details.js';

/**
 * Returns the properties of a GPU operation, with the same words and order for both profilers' files: a kernel's grid,
 * block, registers, shared memory and theoretical occupancy, or a copy's bytes and bandwidth; then the remaining
 * properties as in the file. For other slices, returns all properties as in the file.
 *
 * @param args the properties in the file
 * @see docs/metrics.md#occupancy
 */
export function sliceFacts(trace: Trace, slice: number, args: readonly SliceArgument[]): readonly SliceArgument[] {
  const operation = operationOfSlice(trace, slice);
  if (operation < 0) return args;
  const read = new Arguments(args);
  const facts = [...launchFacts(trace, operation, read), ...byteFacts(trace, operation, read)];
  return [...facts, ...read.rest];
}

function launchFacts({gpuOperations, smLimits}: Trace, operation: number, read: Arguments): SliceArgument[] {
  const grid = read.sizes('grid', ['gridX', 'gridY', 'gridZ']);
  const block = read.sizes('block', ['blockX', 'blockY', 'blockZ']);
  if (!grid || !block) return [];
  const threads = productOf(block);
  const registers = read.number('registers per thread', 'registersPerThread');
  const shared = sharedMemory(read);
  const facts = [
    {name: 'grid', value: `${grid.join(' × ')} (${counted(productOf(grid), '{0} block', '{0} blocks')})`},
    {name: 'block', value: `${block.join(' × ')} (${counted(threads, '{0} thread', '{0} threads')})`},
    ...(registers === null ? [] : [{name: 'registers', value: say('{0} per thread', registers)}]),
    ...(shared === null ? [] : [{name: 'shared memory', value: shared.text}]),
  ];
  const limits = smLimits.find(({device}) => device === gpuOperations.device[operation]);
  // These rules do not cover the additional needs of blocks in a cluster.
  const isCluster = ['clusterX', 'clusterY', 'clusterZ'].some(name => (read.peek(name) ?? 0) > 1);
  if (!limits || isCluster || registers === null || shared === null) return facts;
  const needs = {threads, registersPerThread: registers, sharedBytes: shared.bytes};
  const occupancy = theoreticalOccupancy(needs, limits);
  if (!occupancy) return facts;
  const {fraction, blocksPerSm, limitedBy} = occupancy;
  const percent = Number((100 * fraction).toPrecision(3));
  const why = `${plural(blocksPerSm, 'block')} per SM, limited by ${limitedBy}`;
  return [...facts, {name: 'theoretical occupancy', value: `${String(percent)} % (${why})`}];
}

/** Returns the shared memory: Kineto has one number, nsys two. */
function sharedMemory(read: Arguments): {readonly text: string; readonly bytes: number} | null {
  const both = read.number('shared memory');
  const fixed = read.number('staticSharedMemory');
  const dynamic = read.number('dynamicSharedMemory');
  if (both !== null) return {text: formatCounterValue(both, 'bytes'), bytes: both};
  if (fixed === null || dynamic === null) return null;
  const text = `${formatCounterValue(fixed, 'bytes')} static, ${formatCounterValue(dynamic, 'bytes')} dynamic`;
  return {text, bytes: fixed + dynamic};
}

function byteFacts({slices, gpuOperations}: Trace, operation: number, read: Arguments): SliceArgument[] {
  const bytes = gpuOperations.bytes[operation];
  if (bytes < 0) return [];
  const durationNs = slices.durationNs[gpuOperations.slice[operation]];
  read.number('bytes');
  const bandwidth = {name: 'bandwidth', value: formatQuantity((bytes / durationNs) * 1e9, 'B/s')};
  const size = {name: 'bytes', value: `${formatCount(bytes)} (${formatCounterValue(bytes, 'bytes')})`};
  return durationNs > 0 ? [size, bandwidth] : [size];
}

function productOf(sizes: readonly number[]): number {
  return sizes.reduce((product, size) => product * size, 1);
}

/** Arguments of a file. Those that were read are shown in other words, the rest unchanged. */
class Arguments {
  readonly #taken = new Set<string>();

  constructor(private readonly args: readonly SliceArgument[]) {}

  get rest(): SliceArgument[] {
    return this.args.filter(({name}) => !this.#taken.has(name));
  }

  peek(name: string): number | null {
    const text = this.args.find(own => own.name === name)?.value ?? '';
    const value = Number(text);
    return text.trim() !== '' && Number.isFinite(value) && value >= 0 ? value : null;
  }

  /** Returns the first of these arguments that is a number; null if there is none. */
  number(...names: string[]): number | null {
    for (const name of names) {
      const value = this.peek(name);
      if (value === null) continue;
      this.#taken.add(name);
      return value;
    }
    return null;
  }

  /** Returns three sizes: a list under one name (Kineto), or a number under each of three (nsys). */
  sizes(name: string, names: readonly string[]): readonly number[] | null {
    const list = /^\[(\d+), (\d+), (\d+)\]$/.exec(this.args.find(own => own.name === name)?.value ?? '');
    if (list) {
      this.#taken.add(name);
      return list.slice(1).map(Number);
    }
    const sizes = names.map(own => this.number(own));
    return sizes.every(size => size !== null) ? sizes : null;
  }
}
