/** What an event of the allocator's history did. A file's other words are `other`. */
export const traceActions = [
  'other',
  'alloc',
  'free_requested',
  'free_completed',
  'free',
  'segment_alloc',
  'segment_free',
  'segment_map',
  'segment_unmap',
  'oom',
  'snapshot',
] as const;

/** States of a block, by their codes in `MemoryBlocks`. `active_pending_free` waits for another stream. */
export const blockStates = ['inactive', 'active_allocated', 'active_pending_free'] as const;

/**
 * Places in code, each of them once.
 *
 *     row  name       file              line
 *      0   "forward"  "/home/me/m.py"     12
 *      1   "_call"    "…/module.py"      934
 *
 * `file` and `name` are empty, and `line` is 0, where the snapshot does not tell them.
 */
export interface MemoryFrames {
  readonly length: number;
  readonly names: readonly string[];
  readonly files: readonly string[];
  readonly lines: readonly number[];
  /** 1 where a frame is a range that the person named, and so their own without a file; null where none is. */
  readonly isNamed: Uint8Array | null;
}

/**
 * Stacks as a tree, parents first: a stack is a row, its outermost frame the row's own, and the frames inside that are
 * those of the parents. Stacks are told from the inside outwards, so those that begin alike share their rows.
 *
 *     row  parent  frame
 *      0      -1      0     forward
 *      1       0      1     forward, called by _call
 */
export interface MemoryStacks {
  readonly length: number;
  /** -1 where the row's frame is the innermost. */
  readonly parent: Int32Array;
  readonly frame: Int32Array;
}

/** One row per segment (memory that the allocator holds) at the end of the snapshot. */
export interface MemorySegments {
  readonly length: number;
  readonly device: Int32Array;
  readonly address: Float64Array;
  readonly bytes: Float64Array;
  /** The stack that had it reserved, or -1. */
  readonly stack: Int32Array;
  /** The stream that it was reserved for; 0 is the default one. */
  readonly stream: Float64Array;
  /** 1 where the segment grows and shrinks in place (`expandable_segments`). */
  readonly isExpandable: Uint8Array;
}

/** One row per block at the end of the snapshot, by segment. */
export interface MemoryBlocks {
  readonly length: number;
  readonly device: Int32Array;
  /** -1 where no segment is known. */
  readonly segment: Int32Array;
  readonly address: Float64Array;
  /** As it was rounded up. */
  readonly bytes: Float64Array;
  /** What was asked for; where the snapshot does not tell it, the block's own size. */
  readonly requestedBytes: Float64Array;
  /** An index into `blockStates`. */
  readonly state: Uint8Array;
  /** The stack that allocated it, or -1. */
  readonly stack: Int32Array;
}

/** One row per event of a device's history, in the order in which they happened. */
export interface DeviceEvents {
  readonly length: number;
  /** An index into `traceActions`. */
  readonly action: Uint8Array;
  /** Negative where the recording tells none: a number that a block and its free have in common. */
  readonly address: Float64Array;
  /** What was asked for, or the size of the segment. */
  readonly bytes: Float64Array;
  /** The stack that caused the event, or -1. */
  readonly stack: Int32Array;
  /** Microseconds since 1970, NaN where it is not told; null where no event tells it. */
  readonly timeUs: Float64Array | null;
  /** The stream's number; null where all are of the default one, 0. */
  readonly stream: Float64Array | null;
  /** Indices into `texts`, or -1: what the writer says that the memory is for; null where it never says. */
  readonly category: Int32Array | null;
  /** Indices into `texts`, or -1: what the program noted (`torch.cuda.memory._set_memory_metadata`); null where it never did. */
  readonly metadata: Int32Array | null;
  /** What the allocator held after each event, NaN where it is not told; null where segments tell it. */
  readonly reservedBytes: Float64Array | null;
}

/** What a profile tells besides the history of its memory. */
export interface ProfileOfMemory {
  /** By device: `GPU 0`, `CPU`. */
  readonly deviceNames: readonly string[];
  /** Its steps, in time of `DeviceEvents.timeUs`. */
  readonly steps: readonly {readonly number: number; readonly startUs: number; readonly endUs: number}[];
  readonly notes: readonly SnapshotNote[];
}

/** A snapshot of PyTorch's allocator: what it holds at the end, and the history that it remembers. */
export interface MemorySnapshot {
  readonly frames: MemoryFrames;
  readonly stacks: MemoryStacks;
  /** What `category` and `metadata` of events count in. */
  readonly texts: readonly string[];
  readonly segments: MemorySegments;
  readonly blocks: MemoryBlocks;
  /** By device; a device without a history has one of no events. */
  readonly events: readonly DeviceEvents[];
  /** Null where this is a snapshot of the allocator's own. */
  readonly profile: ProfileOfMemory | null;
}

/** A sentence about what a snapshot lacks or contradicts. */
export interface SnapshotNote {
  readonly code: string;
  readonly text: string;
}
