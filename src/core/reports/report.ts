import {printedFixed} from '../format/printed-fixed.js';
import type {DetailKind} from '../figures/report-details.js';
import type {ReportInput} from '../figures/report-input.js';
import type {Trace} from '../trace/trace.js';

/** A value of a report: null where the profile does not say. */
export type Cell = string | number | null;

/** What a column's numbers are in. MB are 10^6 bytes, as in nsys; bytes are of memory, which people read in GiB. */
export type ColumnUnit = 'ns' | 'bytes' | 'percent' | 'megabytes' | 'megabytesPerSecond' | 'none';

/** What a row is about: a thing with this name, a range, or the step of this number. */
type ColumnRole = 'name' | 'range' | 'step';

/** What else than a report's text is made of a column. */
export interface ColumnMeaning {
  /** What its cells tell of the row; absent where they only describe it. */
  readonly role?: ColumnRole;
  /**
   * Whether its numbers add up over rows. Averages, extremes and inclusive times do not: what nests would count twice.
   * Nor do shares: they are rounded, and thousands of 0.0 % may be most of the time.
   */
  readonly addsUp?: boolean;
  /** Whether it is drawn as bars: shares, sums of time and of bytes, the columns that people compare by eye. */
  readonly hasBar?: boolean;
  /** Titles of the columns that add up to this one: a chart stacks them. */
  readonly parts?: readonly string[];
}

export interface ReportColumn extends ColumnMeaning {
  /** As nsys or PyTorch writes it, without the unit. */
  readonly title: string;
  readonly unit: ColumnUnit;
  /** What the number means; docs/metrics.md says the same. */
  readonly definition: string;
  /** Decimals that numbers are written with; whole or as they are where absent. */
  readonly decimals?: number;
  /** How people read its numbers, where that is more than the number: `1.726ms`. */
  readonly display?: (value: number) => string;
  readonly isText?: boolean;
}

/** Rows that are made one at a time, since a trace report has as many as the trace. */
export interface ReportRows {
  readonly length: number;
  /** The cells of a row, one a column. Row numbers count from 0. */
  readonly cells: (row: number) => Cell[];
  /** Whether a name in the row is known only up to where it was cut. */
  readonly isCut?: (row: number) => boolean;
  /** Whether several names are folded into the row. */
  readonly isFolded?: (row: number) => boolean;
  /** Titles of columns that say nothing of this profile: tables may leave them out. */
  readonly idle?: ReadonlySet<string>;
  /** What the trace lacks where there is no row, if that is less than what the report is about. */
  readonly absent?: string;
  /** Lines below the table. */
  readonly footer?: readonly string[];
}

/** A report that is finished but for its text. */
export interface Report {
  /** The name that it was asked for by, options included. */
  readonly name: string;
  readonly title: string;
  readonly columns: readonly ReportColumn[];
  readonly rows: ReportRows;
  /** How its table is laid out; as nsys does it where absent. */
  readonly layout?: ReportLayout;
}

/** Writes a report as a table of text, piece by piece. */
type ReportLayout = (report: Report) => Generator<string>;

/** What a row of a table is: decides where else it can be shown. Nothing of a `plain` row is elsewhere. */
export type RowKind = 'range' | 'kernel' | 'operation' | 'call' | 'operator' | 'step' | 'plain';

/** What tables are about, in the order in which the view shows them. */
export const tabGroups = ['Summary', 'GPU', 'CPU', 'Communication', 'Quality'] as const;
export type TabGroup = (typeof tabGroups)[number];

/** A table of the view that shows a report. */
interface ReportTab {
  readonly id: string;
  readonly title: string;
  readonly row: RowKind;
  /** What the profile lacks where there is no row; what the report is about where absent. */
  readonly about?: string;
  /** The words that the report is asked for with. */
  readonly options?: readonly string[];
  /** The table that it stands behind. */
  readonly after: string;
  /** That of the table that it stands behind where absent. */
  readonly group?: TabGroup;
  /** Whether a trace has no row for it, as far as that can be told at once; not known where absent. */
  readonly isEmpty?: (trace: Trace) => boolean;
}

/**
 * What a report is made of besides the profile: the files of a job's other ranks, lines of compiled kernels, classes of
 * modules.
 */
export type ReportNeed = 'otherRanks' | 'kernelLines' | 'moduleClasses';

/** How to make a report. */
export interface ReportDefinition {
  readonly id: string;
  /** Its name in nsys up to 2022.4, null where it had none. */
  readonly oldId: string | null;
  readonly title: string;
  /** The words that may follow its name. */
  readonly options: readonly string[];
  /** Words with a number that may follow its name: `group_by_stack_n` in `key_averages:group_by_stack_n=5`. */
  readonly numberOptions?: readonly string[];
  /** What must be read from the file besides the trace. */
  readonly details: (options: readonly string[]) => readonly DetailKind[];
  /** Whether its rows are of ranges, so that what counts as one can be chosen. */
  readonly isOfRanges?: true;
  /** What the trace lacks where the report has no row: "CUDA kernel data". */
  readonly about: string;
  /** The tables of the view that show it; none where absent. */
  readonly tabs?: readonly ReportTab[];
  /** What its tables need besides the profile; nothing where absent. */
  readonly needs?: readonly ReportNeed[];
  readonly columns: readonly ReportColumn[];
  /** The columns that the report has with these options; `columns` where absent. */
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

/** A column's header and key: its title and unit, as nsys writes them. */
export function columnHeader({title, unit}: ReportColumn): string {
  return title + unitText[unit];
}

/** The text of a cell in a table or CSV; what is absent reads "None", as nsys has it. */
export function cellText(cell: Cell, {decimals}: ReportColumn): string {
  if (cell === null) return 'None';
  return typeof cell === 'number' && decimals !== undefined ? printedFixed(cell, decimals) : String(cell);
}

/**
 * `value` to one decimal, halves up, as nsys's `round(value, 1)` has it; NaN gives null.
 *
 * A mean that is a half in decimals (29962.05) is mostly a little less in binary: SQLite adds three parts in 10^16.
 *
 * @see SQLite, printf.c, etFLOAT
 */
export function roundedToTenth(value: number): number | null {
  return Number.isNaN(value) ? null : Number((value + value * 3e-16).toFixed(1));
}

/** Whole numbers and such as they are; NaN and the -1 of absent ids give null. */
export function numberOrNull(value: number): number | null {
  return Number.isNaN(value) || value === -1 ? null : value;
}
