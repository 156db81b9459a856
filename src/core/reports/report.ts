import {printedFixed} from '../format/printed-fixed.js';
import type {DetailKind} from '../figures/report-details.js';
import type {ReportInput} from '../figures/report-input.js';
import type {Trace} from '../trace/trace.js';

/** A value of a report; null if the profile does not record it. */
export type Cell = string | number | null;

/** The unit of a column's numbers. MB are 10^6 bytes, as in nsys; bytes are for memory, which is displayed in GiB. */
export type ColumnUnit = 'ns' | 'bytes' | 'percent' | 'megabytes' | 'megabytesPerSecond' | 'none';

/** What a row describes: something with this name, a range, or the step of this number. */
type ColumnRole = 'name' | 'range' | 'step';

/** How a column is used besides its text. */
export interface ColumnMeaning {
  /** The role of its cells; absent if they only describe the row. */
  readonly role?: ColumnRole;
  /**
   * Whether its numbers add up over rows. Averages, extremes and inclusive times do not: nested rows would count twice.
   * Nor do shares: they are rounded, and thousands of rows with 0.0 % may be most of the time.
   */
  readonly addsUp?: boolean;
  /** Whether it is drawn as bars: shares and sums of time and bytes, which people compare by eye. */
  readonly hasBar?: boolean;
  /** Titles of the columns that add up to this one: a chart stacks them. */
  readonly parts?: readonly string[];
}

export interface ReportColumn extends ColumnMeaning {
  /** The title as nsys or PyTorch writes it, without the unit. */
  readonly title: string;
  readonly unit: ColumnUnit;
  /** What the number means, as in docs/metrics.md. */
  readonly definition: string;
  /** The number of decimals; if absent, numbers are written in full. */
  readonly decimals?: number;
  /** Formats its numbers for display, if not as plain numbers: `1.726ms`. */
  readonly display?: (value: number) => string;
  readonly isText?: boolean;
}

/** Rows that are created one at a time, because a trace report has as many as the trace. */
export interface ReportRows {
  readonly length: number;
  /** Returns the cells of a row, one per column. Row numbers count from 0. */
  readonly cells: (row: number) => Cell[];
  /** Whether a name in the row was cut in the source, so that its end is unknown. */
  readonly isCut?: (row: number) => boolean;
  /** Whether several names are folded into the row. */
  readonly isFolded?: (row: number) => boolean;
  /** Titles of columns without data for this profile; tables may leave them out. */
  readonly idle?: ReadonlySet<string>;
  /** What the trace lacks if there are no rows, if more specific than the report's `about`. */
  readonly absent?: string;
  /** Lines below the table. */
  readonly footer?: readonly string[];
}

/** A report, complete except for its text. */
export interface Report {
  /** The name by which it was requested, including options. */
  readonly name: string;
  readonly title: string;
  readonly columns: readonly ReportColumn[];
  readonly rows: ReportRows;
  /** The layout of its table; nsys's if absent. */
  readonly layout?: ReportLayout;
}

/** Writes a report as a table of text, piece by piece. */
type ReportLayout = (report: Report) => Generator<string>;

/** What a row represents, which decides where else it can be shown. A `plain` row can be shown nowhere else. */
export type RowKind = 'range' | 'kernel' | 'operation' | 'call' | 'operator' | 'step' | 'plain';

/** The subjects of tables, in the order in which the view shows them. */
export const tabGroups = ['Summary', 'GPU', 'CPU', 'Communication', 'Quality'] as const;
export type TabGroup = (typeof tabGroups)[number];

/** A tab of the view that shows a report. */
interface ReportTab {
  readonly id: string;
  readonly title: string;
  readonly row: RowKind;
  /** What the profile lacks if there are no rows; the report's `about` if absent. */
  readonly about?: string;
  /** The options with which the report is requested. */
  readonly options?: readonly string[];
  /** The tab that it follows. */
  readonly after: string;
  /** The group of the tab that it follows, if absent. */
  readonly group?: TabGroup;
  /** Returns whether a trace has no rows for it, if that can be decided quickly; absent if not. */
  readonly isEmpty?: (trace: Trace) => boolean;
}

/**
 * Input of a report besides the profile: the files of a job's other ranks, lines of compiled kernels, classes of
 * modules.
 */
export type ReportNeed = 'otherRanks' | 'kernelLines' | 'moduleClasses';

/** How to make a report. */
export interface ReportDefinition {
  readonly id: string;
  /** Its name in nsys up to 2022.4; null if it had none. */
  readonly oldId: string | null;
  readonly title: string;
  /** The options that may follow its name. */
  readonly options: readonly string[];
  /** Options with a number that may follow its name: `group_by_stack_n` in `key_averages:group_by_stack_n=5`. */
  readonly numberOptions?: readonly string[];
  /** Returns what must be read from the file in addition to the trace. */
  readonly details: (options: readonly string[]) => readonly DetailKind[];
  /** Whether its rows are ranges, so that the user can choose what counts as one. */
  readonly isOfRanges?: true;
  /** What the trace lacks if the report has no rows: "CUDA kernel data". */
  readonly about: string;
  /** The tabs of the view that show it; none if absent. */
  readonly tabs?: readonly ReportTab[];
  /** What its tables need besides the profile; nothing if absent. */
  readonly needs?: readonly ReportNeed[];
  readonly columns: readonly ReportColumn[];
  /** Returns the report's columns with these options; `columns` if absent. */
  readonly columnsWith?: (options: readonly string[]) => readonly ReportColumn[];
  readonly rows: (input: ReportInput) => ReportRows;
  readonly layout?: ReportLayout;
}

const unitText: Readonly<Record<ColumnUnit, string>> = {
  ns: ' (ns)',
  bytes: ' (B)',
  percent: ' (%)',
  megabytes: ' (MB)',
  megabytesPerSecond: ' (MBps)',
  none: '',
};

/** Returns a column's header and key: its title and unit, as nsys writes them. */
export function columnHeader({title, unit}: ReportColumn): string {
  return title + unitText[unit];
}

/** Returns the text of a cell in a table or CSV; null reads "None", as in nsys. */
export function cellText(cell: Cell, {decimals}: ReportColumn): string {
  if (cell === null) return 'None';
  return typeof cell === 'number' && decimals !== undefined ? printedFixed(cell, decimals) : String(cell);
}

/**
 * Rounds `value` to one decimal, halves up, like nsys's `round(value, 1)`; NaN gives null.
 *
 * A mean that is a half in decimal (29962.05) is usually slightly less in binary, so SQLite adds three parts in 10^16.
 *
 * @see SQLite, printf.c, etFLOAT
 */
export function roundedToTenth(value: number): number | null {
  return Number.isNaN(value) ? null : Number((value + value * 3e-16).toFixed(1));
}

/** Returns the number; null for NaN and for -1, which marks an absent id. */
export function numberOrNull(value: number): number | null {
  return Number.isNaN(value) || value === -1 ? null : value;
}
