import {placeOf, type CodePlace} from './live-rows.js';
import type {MemorySnapshot} from './memory-snapshot.js';
import {ownFrames} from './own-frames.js';
import {segmentUse} from './segment-use.js';

/** A segment at the snapshot's end, with the line that reserved it. */
export interface SegmentRow extends CodePlace {
  readonly address: number;
  readonly bytes: number;
  readonly stream: number;
  readonly isExpandable: boolean;
  readonly blocks: number;
  readonly activeBytes: number;
  readonly freeBytes: number;
  readonly largestFreeBytes: number;
}

/** Returns the segments of a device, those with the most free bytes first. */
export function segmentRows(snapshot: MemorySnapshot, device: number): SegmentRow[] {
  const {segments} = snapshot;
  const use = segmentUse(snapshot);
  const own = ownFrames(snapshot.frames, snapshot.stacks);
  const rows: SegmentRow[] = [];
  for (let i = 0; i < segments.length; i++) {
    if (segments.device[i] !== device) continue;
    const {[i]: stack} = segments.stack;
    rows.push({
      ...placeOf(snapshot, stack < 0 ? -1 : own[stack]),
      address: segments.address[i],
      bytes: segments.bytes[i],
      stream: segments.stream[i],
      isExpandable: segments.isExpandable[i] === 1,
      blocks: use.blocks[i],
      activeBytes: use.activeBytes[i],
      freeBytes: use.freeBytes[i],
      largestFreeBytes: use.largestFreeBytes[i],
    });
  }
  return rows.sort((a, b) => b.freeBytes - a.freeBytes || b.bytes - a.bytes || a.address - b.address);
}
