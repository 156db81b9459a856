import type {SmLimits} from '../trace/sm-limits.js';

/** The resources that a block of a kernel needs. */
export interface BlockNeeds {
  readonly threads: number;
  readonly registersPerThread: number;
  /** Static and dynamic shared memory. */
  readonly sharedBytes: number;
}

/** How many warps of a kernel an SM can hold at once, relative to its maximum. */
export interface Occupancy {
  /** 0 to 1. */
  readonly fraction: number;
  readonly blocksPerSm: number;
  /** The resource that limits the number of blocks. */
  readonly limitedBy: 'blocks' | 'warps' | 'registers' | 'shared memory';
}

const warpThreads = 32;
/** Registers are allocated per warp in units of this many, and warps are spread evenly over the four parts of an SM. */
const registersAtOnce = 256;
const partsOfSm = 4;

/**
 * Returns the theoretical occupancy: the limit set by a block's size, however many blocks there are. Null if the rules
 * below do not cover the device (compute capability 7.0 to 12.x), or the block does not fit.
 *
 * @see docs/metrics.md#occupancy
 */
export function theoreticalOccupancy(
  {threads, registersPerThread, sharedBytes}: BlockNeeds,
  sm: SmLimits,
): Occupancy | null {
  const mostBlocks = sm.blocks ?? blocksOf(sm);
  const warps = Math.ceil(threads / warpThreads);
  const mostWarps = Math.floor(sm.threads / warpThreads);
  if (mostBlocks === null || sm.computeMajor < 7 || !(warps > 0) || !(sharedBytes >= 0) || !(mostWarps > 0))
    return null;
  const limits = [
    ['warps', Math.floor(mostWarps / warps)],
    ['blocks', mostBlocks],
    ['registers', Math.floor(warpsByRegisters(registersPerThread, sm) / warps)],
    ['shared memory', Math.floor(sm.sharedBytes / sharedAt(sharedBytes, sm))],
  ] as const;
  const [limitedBy, blocksPerSm] = limits.reduce((least, limit) => (limit[1] < least[1] ? limit : least));
  return blocksPerSm > 0 ? {fraction: (blocksPerSm * warps) / mostWarps, blocksPerSm, limitedBy} : null;
}

function warpsByRegisters(registersPerThread: number, {registers}: SmLimits): number {
  const perWarp = upTo(Math.max(1, registersPerThread) * warpThreads, registersAtOnce);
  return Math.floor(registers / partsOfSm / perWarp) * partsOfSm;
}

/** Returns the shared memory of an SM that a block takes: from 8.0 on, the system reserves 1 KiB of it. */
function sharedAt(bytes: number, {computeMajor}: SmLimits): number {
  const isNewer = computeMajor >= 8;
  return Math.max(1, upTo(bytes + (isNewer ? 1024 : 0), isNewer ? 128 : 256));
}

function upTo(value: number, step: number): number {
  return Math.ceil(value / step) * step;
}

/** Returns the most blocks that an SM can hold, by compute capability; null if it is unknown. */
function blocksOf({computeMajor, computeMinor}: SmLimits): number | null {
  return mostBlocksOf[`${String(computeMajor)}.${String(computeMinor)}`] ?? null;
}

const mostBlocksOf: Readonly<Record<string, number | undefined>> = {
  '7.0': 32,
  '7.2': 32,
  '7.5': 16,
  '8.0': 32,
  '8.6': 16,
  '8.7': 16,
  '8.9': 24,
  '9.0': 32,
  '10.0': 32,
  '10.3': 32,
  '12.0': 24,
  '12.1': 24,
};
