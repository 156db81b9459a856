import type {ReportDetails} from '../../core/figures/report-details.js';
import type {MemorySnapshot} from '../../core/memory-snapshot/memory-snapshot.js';
import type {KnownLine} from '../../core/source/known-lines.js';
import {orNull} from '../../core/table/or-null.js';
import type {Trace} from '../../core/trace/trace.js';
import type {Texts} from '../texts.js';

/** A value that is put into a table; of a column of type `name` its number in `Texts`. */
export type SqlValue = number | bigint | string | null;

/** Where the rows of a table come from. */
export interface TableRows {
  readonly length: number;
  /** Column → the value of a row. What is computed for a column is computed when its function is asked for. */
  readonly columns: Readonly<Record<string, () => (row: number) => SqlValue>>;
}

/** What there is to query besides the events of a trace. */
export interface Beside {
  /** What was noted beside the profile. */
  readonly lines: readonly KnownLine[];
  /** The file itself, where it is a memory snapshot: the trace then has no events. */
  readonly snapshot: MemorySnapshot | null;
  /** What was read again from the file, for the columns that need it. @see neededDetails */
  readonly details: ReportDetails;
}

/** Makes the rows of a table. */
export type TableSource = (trace: Trace, texts: Texts, beside: Beside) => TableRows;

/** What every table of slices has: where, when, and what it is called. */
export function sliceColumns(
  {slices, tracks, processes}: Trace,
  texts: Texts,
  sliceOf: (row: number) => number,
): TableRows['columns'] {
  const {startNs, durationNs, name, track} = slices;
  return {
    slice_id: () => sliceOf,
    name: () => row => texts.ofTrace(name[sliceOf(row)]),
    start_ns: () => row => startNs[sliceOf(row)],
    end_ns: () => row => startNs[sliceOf(row)] + durationNs[sliceOf(row)],
    duration_ns: () => row => durationNs[sliceOf(row)],
    track_id: () => row => track[sliceOf(row)],
    tid: () => row => orNull(tracks[track[sliceOf(row)]].thread),
    pid: () => row => processes[tracks[track[sliceOf(row)]].process]?.pid ?? null,
  };
}
