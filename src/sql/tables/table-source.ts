import type {ReportDetails} from '../../core/figures/report-details.js';
import type {MemorySnapshot} from '../../core/memory-snapshot/memory-snapshot.js';
import type {KnownLine} from '../../core/source/known-lines.js';
import {orNull} from '../../core/table/or-null.js';
import type {Trace} from '../../core/trace/trace.js';
import type {Texts} from '../texts.js';

/** A value of a table. In a column of type `name`, it is the number of a text in `Texts`. */
export type SqlValue = number | bigint | string | null;

/** The source of a table's rows. */
export interface TableRows {
  readonly length: number;
  /** Column → a function that returns the value of a row. A column is computed when its function is requested. */
  readonly columns: Readonly<Record<string, () => (row: number) => SqlValue>>;
}

/** The data to query besides the events of a trace. */
export interface Beside {
  /** The profile's sidecar. */
  readonly lines: readonly KnownLine[];
  /** The file itself, if it is a memory snapshot. The trace then has no events. */
  readonly snapshot: MemorySnapshot | null;
  /** Details that were read again from the file, for the columns that need them. @see neededDetails */
  readonly details: ReportDetails;
}

/** Makes the rows of a table. */
export type TableSource = (trace: Trace, texts: Texts, beside: Beside) => TableRows;

/** The columns of every table of slices: place, time and name. */
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
