/** The actions of events in the allocator's history. Other words in a file become `other`. */
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

/** States of a block, by their codes in `MemoryBlocks`. A block in `active_pending_free` waits for another stream. */
export const blockStates = ['inactive', 'active_allocated', 'active_pending_free'] as const;

/**
 * Places in code, each once.
 *
 *     row  name       file              line
 *      0   "forward"  "/home/me/m.py"     12
 *      1   "_call"    "…/module.py"      934
 *
 * If the snapshot does not record them, `file` and `name` are empty, and `line` is 0.
 */
export interface MemoryFrames {
  readonly length: number;
  readonly names: readonly string[];
  readonly files: readonly string[];
  readonly lines: readonly number[];
  /** 1 if a frame is a range that the user named, which counts as own code without a file; null if there are none. */
  readonly isNamed: Uint8Array | null;
}

/**
 * Stacks as a tree, parents first: a stack is a row. Its outermost frame is the row's own, and the frames inside it are
 * those of the parents. Stacks are stored from the inside outwards, so those with the same innermost frames share rows.
 *
 *     row  parent  frame
 *      0      -1      0     forward
 *      1       0      1     forward, called by _call
 */
export interface MemoryStacks {
  readonly length: number;
  /** -1 if the row's frame is the innermost. */
  readonly parent: Int32Array;
  readonly frame: Int32Array;
}

/** One row per segment (memory reserved by the allocator) at the end of the snapshot. */
export interface MemorySegments {
  readonly length: number;
  readonly device: Int32Array;
  readonly address: Float64Array;
  readonly bytes: Float64Array;
  /** The stack that reserved it, or -1. */
  readonly stack: Int32Array;
  /** The stream for which it was reserved; 0 is the default stream. */
  readonly stream: Float64Array;
  /** 1 if the segment grows and shrinks in place (`expandable_segments`). */
  readonly isExpandable: Uint8Array;
}

/** One row per block at the end of the snapshot, by segment. */
export interface MemoryBlocks {
  readonly length: number;
  readonly device: Int32Array;
  /** -1 if no segment is known. */
  readonly segment: Int32Array;
  readonly address: Float64Array;
  /** The rounded size. */
  readonly bytes: Float64Array;
  /** The requested size; the block's own size if the snapshot does not record it. */
  readonly requestedBytes: Float64Array;
  /** An index into `blockStates`. */
  readonly state: Uint8Array;
  /** The stack that allocated it, or -1. */
  readonly stack: Int32Array;
}

/** One row per event of a device's history, in chronological order. */
export interface DeviceEvents {
  readonly length: number;
  /** An index into `traceActions`. */
  readonly action: Uint8Array;
  /** Negative if the recording has none: a number shared by a block's allocation and free. */
  readonly address: Float64Array;
  /** The requested size, or the size of the segment. */
  readonly bytes: Float64Array;
  /** The stack that caused the event, or -1. */
  readonly stack: Int32Array;
  /** Microseconds since 1970, NaN if not recorded; null if no event has a time. */
  readonly timeUs: Float64Array | null;
  /** The stream's number; null if all are of the default stream, 0. */
  readonly stream: Float64Array | null;
  /** Indices into `texts`, or -1: the recorded purpose of the memory; null if none is recorded. */
  readonly category: Int32Array | null;
  /**
   * Indices into `texts`, or -1: the program's notes (`torch.cuda.memory._set_memory_metadata`); null if there are
   * none.
   */
  readonly metadata: Int32Array | null;
  /** The bytes that the allocator reserved after each event, NaN if not recorded; null if segments give them. */
  readonly reservedBytes: Float64Array | null;
}

/** Data of a profile besides the history of its memory. */
export interface ProfileOfMemory {
  /** By device: `GPU 0`, `CPU`. */
  readonly deviceNames: readonly string[];
  /** Its steps, in the time of `DeviceEvents.timeUs`. */
  readonly steps: readonly {readonly number: number; readonly startUs: number; readonly endUs: number}[];
  readonly notes: readonly SnapshotNote[];
}

/** A snapshot of PyTorch's allocator: its state at the end, and its recorded history. */
export interface MemorySnapshot {
  readonly frames: MemoryFrames;
  readonly stacks: MemoryStacks;
  /** The texts to which `category` and `metadata` of events refer. */
  readonly texts: readonly string[];
  readonly segments: MemorySegments;
  readonly blocks: MemoryBlocks;
  /** By device; a device without a history has one without events. */
  readonly events: readonly DeviceEvents[];
  /** Null for a snapshot by the allocator itself. */
  readonly profile: ProfileOfMemory | null;
}

/** A sentence about missing or contradictory data in a snapshot. */
export interface SnapshotNote {
  readonly code: string;
  readonly text: string;
}
