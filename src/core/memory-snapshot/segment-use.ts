import {blockStates, type MemorySnapshot} from './memory-snapshot.js';

/**
 * The use of segments at the snapshot's end, one row per segment. Bytes are rounded block sizes, so that active and
 * free ones add up to the segment.
 */
export interface SegmentUse {
  readonly length: number;
  readonly blocks: Int32Array;
  /** Bytes of blocks that a tensor uses, or that wait for another stream. */
  readonly activeBytes: Float64Array;
  /** The part of these that tensors requested: without rounding, and without waiting blocks. */
  readonly requestedBytes: Float64Array;
  readonly freeBytes: Float64Array;
  /** The largest free block. */
  readonly largestFreeBytes: Float64Array;
}

const inactive = blockStates.indexOf('inactive');
const allocated = blockStates.indexOf('active_allocated');

/** Sums the blocks of each segment. @see docs/metrics.md#memory-snapshots */
export function segmentUse({segments, blocks}: Pick<MemorySnapshot, 'segments' | 'blocks'>): SegmentUse {
  const floats = () => new Float64Array(segments.length);
  const use = {
    length: segments.length,
    blocks: new Int32Array(segments.length),
    activeBytes: floats(),
    requestedBytes: floats(),
    freeBytes: floats(),
    largestFreeBytes: floats(),
  };
  for (let block = 0; block < blocks.length; block++) {
    const segment = blocks.segment[block];
    if (segment < 0) continue;
    const bytes = blocks.bytes[block];
    use.blocks[segment]++;
    if (blocks.state[block] === inactive) {
      use.freeBytes[segment] += bytes;
      use.largestFreeBytes[segment] = Math.max(use.largestFreeBytes[segment], bytes);
      continue;
    }
    use.activeBytes[segment] += bytes;
    if (blocks.state[block] === allocated) use.requestedBytes[segment] += blocks.requestedBytes[block];
  }
  return use;
}

/** The fragmentation of a device's memory that no tensor uses, bytes; zeros if it has no segments. */
export interface Fragmentation {
  readonly segments: number;
  readonly reservedBytes: number;
  readonly activeBytes: number;
  readonly freeBytes: number;
  /** The largest request that fits without another segment. */
  readonly largestFreeBytes: number;
  /** Free bytes in segments that also contain active blocks: inactive_split_bytes in `torch.cuda.memory_stats`. */
  readonly inactiveSplitBytes: number;
}

/** Sums the segments of a device at the snapshot's end. @see docs/metrics.md#memory-snapshots */
export function fragmentation(snapshot: MemorySnapshot, device: number, use: SegmentUse): Fragmentation {
  const sums = {
    segments: 0,
    reservedBytes: 0,
    activeBytes: 0,
    freeBytes: 0,
    largestFreeBytes: 0,
    inactiveSplitBytes: 0,
  };
  const {segments} = snapshot;
  for (let segment = 0; segment < segments.length; segment++) {
    if (segments.device[segment] !== device) continue;
    sums.segments++;
    sums.reservedBytes += segments.bytes[segment];
    sums.activeBytes += use.activeBytes[segment];
    sums.freeBytes += use.freeBytes[segment];
    sums.largestFreeBytes = Math.max(sums.largestFreeBytes, use.largestFreeBytes[segment]);
    if (use.blocks[segment] > 1) sums.inactiveSplitBytes += use.freeBytes[segment];
  }
  return sums;
}
