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
import type {RankRequests, RankViewRequests} from './rank-messages.js';
import type {DeviceMemoryInfo} from '../core/memory-snapshot/snapshot-info.js';

/** The facts about a snapshot that a view needs first. */
export interface MemoryOverview {
  /** Changes with the file. */
  readonly stamp: string;
  readonly devices: readonly (DeviceMemoryInfo & {
    readonly peakMoment: number;
    /** Moments right after the allocator ran out of memory. */
    readonly outOfMemoryMoments: readonly number[];
    readonly notes: readonly SnapshotNote[];
  })[];
  /** The device that is shown first: the first with a history. */
  readonly device: number;
}

/** A device of the version of a snapshot that a view shows. */
export interface DeviceQuery {
  /** That of the overview. The question fails with `file/changed` if the file has another one now. */
  readonly stamp: string;
  readonly device: number;
}

/** A moment of a device's history, as the number of events before it. */
interface MomentQuery extends DeviceQuery {
  readonly moment: number;
}

/** The blocks that are live at a moment. */
export interface MemoryMoment {
  readonly at: MemoryAt;
  /** By line, the most bytes first; they add up to the allocated bytes. */
  readonly rows: readonly LiveRow[];
  /** The largest blocks. */
  readonly blocks: readonly LiveBlock[];
  /** All that are live. */
  readonly blockCount: number;
}

/** Questions about a snapshot. `Which` is the type that names one. */
interface MemoryQueries<Which> {
  'memory/curve': {
    params: Which & DeviceQuery & {readonly by: MemoryStacking; readonly window: CurveWindow};
    result: MemoryCurve;
  };
  'memory/moment': {params: Which & MomentQuery; result: MemoryMoment};
  'memory/flame': {params: Which & MomentQuery; result: FlameGraph};
  /** Segments at the end, the largest free ones first. */
  'memory/segments': {params: Which & DeviceQuery; result: readonly SegmentRow[]};
  'memory/kept': {params: Which & DeviceQuery; result: KeptMemory};
  /** The difference between two moments, by line. */
  'memory/difference': {
    params: Which & MomentQuery & {readonly base: number};
    result: readonly DifferenceRow[];
  };
}

/** Requests from the extension host to the engine about snapshots, which it names by path. */
export interface MemoryEngineRequests extends MemoryQueries<{readonly snapshot: string}> {
  'memory/open': {
    /** `lines`: for a profile, the lines in its sidecar. */
    params: {snapshot: string; lines: readonly KnownLine[]};
    result: MemoryOverview;
    progress: {bytes: number; totalBytes: number};
  };
  'memory/close': {params: {snapshot: string}; result: undefined};
  /** The difference between the peaks of two snapshots, by line. */
  'memory/other': {
    params: DeviceQuery & {snapshot: string; other: string};
    result: readonly DifferenceRow[];
  };
  /** The time of a moment in an open profile of the same run, in ns from its beginning; null if outside of it. */
  'memory/time': {
    params: {snapshot: string; stamp: string; profile: number; place: MemoryPlace};
    result: number | null;
  };
  /**
   * The moment at a time in an open profile of the same run, or null. `device` is -1 for the host's memory. The file
   * is read as it is now, and `stamp` names that version.
   */
  'memory/at': {
    params: {snapshot: string; profile: number; atNs: number; device: number};
    result: (MemoryPlace & {readonly stamp: string}) | null;
  };
  /** The bytes that each line holds at the peak, and allocates in total, on the device with the largest peak. */
  'memory/lines': {params: {snapshot: string; stamp: string}; result: readonly LineMemory[]};
}

/** What the view shows. */
export type MemoryContent =
  | {readonly state: 'opening'; readonly name: string; readonly fraction: number}
  | {readonly state: 'failed'; readonly name: string; readonly message: string}
  | {
      readonly state: 'open';
      readonly name: string;
      readonly overview: MemoryOverview;
      /** The moment to show. Null: what the page showed last; without that, where memory ran out, or the peak. */
      readonly at: MemoryPlace | null;
    };

/** Requests from the view to the extension host. Ranks belong to the view's file. */
export interface MemoryHostRequests extends MemoryQueries<object>, RankRequests {
  'view/ready': {params: undefined; result: undefined};
  /**
   * Compares the peak with that of another snapshot: `other`, if the user chose it for this page before. Otherwise the
   * user chooses one, or none: null.
   */
  'memory/compare': {
    params: DeviceQuery & {readonly other: string | null};
    result: {readonly path: string; readonly name: string; readonly rows: readonly DifferenceRow[]} | null;
  };
  /** Shows a moment in the timeline of an open profile of the same run; false if there is none. */
  'memory/timeline': {params: MomentQuery; result: boolean};
  'memory/reveal': {params: {file: string; line: number}; result: undefined};
  'memory/copy': {params: {text: string}; result: undefined};
  'memory/again': {params: undefined; result: undefined};
}

/** Requests from the extension host to the view. */
export interface MemoryViewRequests extends RankViewRequests {
  'memory/content': {params: MemoryContent; result: undefined};
}
