/** A cell as it stands in the text, and what it says. */
export interface TextCell {
  /** Without the marks of Markdown or HTML, otherwise to the letter: `1069.6msa`, `❌ Failed`. */
  readonly text: string;
  /** In the unit of the column; null where it is a text, blank, or no number that can be understood. */
  readonly value: number | null;
  /** What stands behind a `±`, in the unit of the column. */
  readonly deviation: number | null;
}

/** What the numbers of a column are in: times are ns, sizes bytes. */
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

/** What a table is that is no profiler's report. */
export const benchmarkId = 'benchmark';

/** A table that somebody kept of what a profiler, or a benchmark, printed. */
export interface TextTable {
  /** The report's name in nsys, `key_averages`, `nsys_events` (rows of the events view), or `benchmark`. */
  readonly report: string;
  /** The heading above it; "" where there is none. */
  readonly title: string;
  /** Which run it is of, by the name of the profile that was made with it; "" where the text does not say. */
  readonly run: string;
  /** The line that it begins at, from 1. */
  readonly line: number;
  readonly columns: readonly TextColumn[];
  /** As many cells in each row as there are columns. */
  readonly rows: readonly (readonly TextCell[])[];
  readonly footer: readonly TextFooter[];
}

/** Whether a trace is a text with tables, and no events: such a text has a table at least, and nothing else has one. */
export function isText({textTables}: {readonly textTables: readonly TextTable[]}): boolean {
  return textTables.length > 0;
}

/** Whether a name was cut when its table was printed: rows with the same cut name may be different things. */
export function isCutName(text: string): boolean {
  return text.includes('…') || text.includes('...');
}
