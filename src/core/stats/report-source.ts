import type {RangeStack} from '../attribution/range-stack.js';
import type {Trace} from '../trace/trace.js';
import type {ReportDetails} from './report-details.js';

/**
 * Which part of a trace a report covers: rows of `gpuOperations` and of `slices` whose mask is 0 are left out. Null is
 * all of them. API calls and ranges are slices.
 */
export interface ReportScope {
  readonly operations: Uint8Array | null;
  readonly slices: Uint8Array | null;
  /** The ranges (rows of `slices`) that operations in scope may be laid to: they may have ended before the window. */
  readonly ranges: Uint8Array | null;
  /** The rows of `instants` that count: events of memory. */
  readonly instants: Uint8Array | null;
  /** The one device whose memory counts; null for all. */
  readonly device: number | null;
  /** Summaries count of what lies partly outside this window the time inside; lists show it whole. */
  readonly fromNs: number;
  readonly toNs: number;
}

export const wholeTrace: ReportScope = {
  operations: null,
  slices: null,
  ranges: null,
  instants: null,
  device: null,
  fromNs: -Infinity,
  toNs: Infinity,
};

/** What reports are made from. */
export interface ReportSource {
  readonly trace: Trace;
  readonly details: ReportDetails;
  readonly scope: ReportScope;
  /** What reports of ranges take for ranges, and how they call them; as usual where absent. */
  readonly stack?: RangeStack;
  /** Name of a kernel that torch.compile made → its lines, as `train.py:9`; none where nobody noted them. */
  readonly kernelLines?: ReadonlyMap<string, readonly string[]>;
  /** Other ranks of the same job, each in a file of its own: reports about ranks have them too. */
  readonly otherRanks?: readonly ReportSource[];
}
