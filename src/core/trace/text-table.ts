/** A cell of a text table, and its parsed value. */
export interface TextCell {
  /** The original text without Markdown or HTML markup: `1069.6msa`, `❌ Failed`. */
  readonly text: string;
  /** In the unit of the column; null if the cell is text, blank, or an unreadable number. */
  readonly value: number | null;
  /** The number after a `±`, in the unit of the column. */
  readonly deviation: number | null;
}

/** The unit of a column's numbers: times are ns, sizes bytes. */
export const textColumnUnits = ['ns', 'bytes', 'percent', 'megabytes', 'megabytesPerSecond', 'none'] as const;
export type TextColumnUnit = (typeof textColumnUnits)[number];

export interface TextColumn {
  /** As the profiler names it, without the unit. */
  readonly title: string;
  readonly unit: TextColumnUnit;
  readonly isText: boolean;
}

/** A figure below a table: `Self CPU time total: 24.129s`. */
export interface TextFooter {
  readonly label: string;
  readonly ns: number;
}

/** The column that numbers the samples of a benchmark, from 1. */
export const sampleTitle = 'Sample';

/** The report id of a table that is not a profiler's report. */
export const benchmarkId = 'benchmark';

/** A saved table that a profiler, or a benchmark, printed. */
export interface TextTable {
  /** The report's name in nsys, `key_averages`, `nsys_events` (rows of the events view), or `benchmark`. */
  readonly report: string;
  /** The heading above it; "" if there is none. */
  readonly title: string;
  /** The name of the profile of the run that made it; "" if the text does not say. */
  readonly run: string;
  /** The line where it begins, from 1. */
  readonly line: number;
  readonly columns: readonly TextColumn[];
  /** Each row has as many cells as there are columns. */
  readonly rows: readonly (readonly TextCell[])[];
  readonly footer: readonly TextFooter[];
}

/** Returns whether a trace comes from a text with tables, and has no events: only such a text has tables. */
export function isText({textTables}: {readonly textTables: readonly TextTable[]}): boolean {
  return textTables.length > 0;
}

/** Returns whether a name was cut when its table was printed: rows with the same cut name may be different things. */
export function isCutName(text: string): boolean {
  return text.includes('…') || text.includes('...');
}
