import type {FlameGraph} from '../core/flame/flame-graph.js';
import type {MemoryStacking} from '../core/memory-snapshot/allocation-groups.js';
import type {KeptMemory} from '../core/memory-snapshot/kept-rows.js';
import type {LineMemory} from '../core/memory-snapshot/line-memory.js';
import type {LiveBlock} from '../core/memory-snapshot/live-blocks.js';
import type {LiveRow} from '../core/memory-snapshot/live-rows.js';
import type {CurveWindow, MemoryCurve} from '../core/memory-snapshot/memory-curve.js';
import type {MemoryAt} from '../core/memory-snapshot/memory-report.js';
import type {SnapshotNote} from '../core/memory-snapshot/memory-snapshot.js';
import type {DifferenceRow} from '../core/memory-snapshot/row-difference.js';
import type {SegmentRow} from '../core/memory-snapshot/segment-rows.js';
import type {KnownLine} from '../core/source/known-lines.js';
import type {MemoryPlace} from '../core/memory-snapshot/moment-times.js';
import type {RankRequests} from './rank-messages.js';
import type {DeviceMemoryInfo} from '../core/memory-snapshot/snapshot-info.js';

/** A snapshot as a view needs it at once. */
export interface MemoryOverview {
  readonly devices: readonly (DeviceMemoryInfo & {
    readonly peakMoment: number;
    /** Moments right after the allocator ran out of memory. */
    readonly outOfMemoryMoments: readonly number[];
    readonly notes: readonly SnapshotNote[];
  })[];
  /** The device to begin with: the first with a history. */
  readonly device: number;
}

/** A moment of a device's history: how many events have happened. */
interface MomentQuery {
  readonly device: number;
  readonly moment: number;
}

/** What is live at a moment. */
export interface MemoryMoment {
  readonly at: MemoryAt;
  /** By line, the most bytes first; they add up to the allocated bytes. */
  readonly rows: readonly LiveRow[];
  /** The largest blocks. */
  readonly blocks: readonly LiveBlock[];
  /** All that are live. */
  readonly blockCount: number;
}

/** Questions about a snapshot; `Which` says how one is named. */
interface MemoryQueries<Which> {
  'memory/curve': {
    params: Which & {readonly device: number; readonly by: MemoryStacking; readonly window: CurveWindow};
    result: MemoryCurve;
  };
  'memory/moment': {params: Which & MomentQuery; result: MemoryMoment};
  'memory/flame': {params: Which & MomentQuery; result: FlameGraph};
  /** Segments at the end, the largest free ones first. */
  'memory/segments': {params: Which & {readonly device: number}; result: readonly SegmentRow[]};
  'memory/kept': {params: Which & {readonly device: number}; result: KeptMemory};
  /** Rows by line of a moment, less those of another. */
  'memory/difference': {
    params: Which & MomentQuery & {readonly base: number};
    result: readonly DifferenceRow[];
  };
}

/** What the extension host asks of the engine about snapshots, which it names by their paths. */
export interface MemoryEngineRequests extends MemoryQueries<{readonly snapshot: string}> {
  'memory/open': {
    /** `lines`: what was noted beside it, where it is a profile. */
    params: {snapshot: string; lines: readonly KnownLine[]};
    result: MemoryOverview;
    progress: {bytes: number; totalBytes: number};
  };
  'memory/close': {params: {snapshot: string}; result: undefined};
  /** Rows by line of a snapshot's peak, less those of another's. */
  'memory/other': {
    params: {snapshot: string; device: number; other: string};
    result: readonly DifferenceRow[];
  };
  /** When a moment was in an open profile of the same run, ns from its beginning; null where that does not reach there. */
  'memory/time': {params: {snapshot: string; profile: number; place: MemoryPlace}; result: number | null};
  /** The moment at a time of an open profile of the same run; null likewise. `device` is -1 for the host's memory. */
  'memory/at': {
    params: {snapshot: string; profile: number; atNs: number; device: number};
    result: MemoryPlace | null;
  };
  /** What each line holds at the peak and allocates in all, of the device with the largest peak. */
  'memory/lines': {params: {snapshot: string}; result: readonly LineMemory[]};
}

/** What the view shows. */
export type MemoryContent =
  | {readonly state: 'opening'; readonly name: string; readonly fraction: number}
  | {readonly state: 'failed'; readonly name: string; readonly message: string}
  | {
      readonly state: 'open';
      readonly name: string;
      readonly overview: MemoryOverview;
      /** Where to begin; null for the peak, or where memory ran out. */
      readonly at: MemoryPlace | null;
    };

/** What the view asks of the extension host; ranks are those of its own file. */
export interface MemoryHostRequests extends MemoryQueries<object>, RankRequests {
  'view/ready': {params: undefined; result: undefined};
  /** Asks for another snapshot, and compares peaks; null where none was chosen. */
  'memory/compare': {
    params: {device: number};
    result: {readonly name: string; readonly rows: readonly DifferenceRow[]} | null;
  };
  /** Shows a moment in the timeline of an open profile of the same run; false where there is none. */
  'memory/timeline': {params: MemoryPlace; result: boolean};
  'memory/reveal': {params: {file: string; line: number}; result: undefined};
  'memory/copy': {params: {text: string}; result: undefined};
  'memory/again': {params: undefined; result: undefined};
}

/** What the extension host asks of the view. */
export interface MemoryViewRequests {
  'memory/content': {params: MemoryContent; result: undefined};
}
