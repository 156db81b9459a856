import {benchmarkId, sampleTitle, type TextTable} from '../trace/text-table.js';

/** One figure of a benchmark, with the parameters of its run. */
export interface BenchmarkResult {
  /** Columns that describe the run, and their texts: `{"Size": "small", "d_model": "768"}`. */
  readonly parameters: Readonly<Record<string, string>>;
  /** The column of the figure: `CUDA forward_time`. */
  readonly measure: string;
  readonly unit: string;
  /** Null if the text is not a number: blank, `TBD`, `❌ Failed`, `1069.6msa`. */
  readonly value: number | null;
  readonly deviation: number | null;
  /** The cell's text, unchanged. */
  readonly text: string;
}

export interface BenchmarkRun {
  readonly name: string;
  /** The first line of its table, from 1. */
  readonly line: number;
  readonly results: readonly BenchmarkResult[];
}

/** Returns the benchmarks of a text, a run for each table. Times are ns. */
export function benchmarkRuns(tables: readonly TextTable[]): BenchmarkRun[] {
  return tables
    .filter(({report}) => report === benchmarkId)
    .map(({title, line, columns, rows}) => {
      const isMeasure = columns.map(({isText, title: column}) => !isText && column !== sampleTitle);
      return {
        name: title,
        line,
        results: rows.flatMap(cells => {
          const parameters = Object.fromEntries(
            cells.flatMap(({text}, at) => (isMeasure[at] ? [] : [[columns[at].title, text] as const])),
          );
          return cells.flatMap((cell, at) =>
            isMeasure[at] ? [{parameters, measure: columns[at].title, unit: columns[at].unit, ...cell}] : [],
          );
        }),
      };
    });
}
