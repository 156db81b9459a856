import {textMeasurements, type MeasurementSet} from '../core/benchmark/text-measurements.js';
import {traceInfo} from '../core/questions/info.js';
import type {CommandContext} from './command.js';
import {UsageError} from './command.js';
import {loadTrace} from './load-trace.js';
import {benchmarkTables, missingTableText, tablesText, type SweepLayout} from './sweep-output.js';

/**
 * Returns the benchmarks of a text that somebody kept, each table a set.
 *
 * @throws TraceError where the file is neither a text with tables nor a profile; UsageError where it has no benchmarks
 */
export async function readTextBenchmarks(file: string): Promise<readonly MeasurementSet[]> {
  const sets = textMeasurements(traceInfo(await loadTrace(file)).benchmarks ?? []);
  if (sets.length > 0) return sets;
  throw new UsageError(`${file} is neither a sweep nor a text with tables of benchmarks.`);
}

/** Writes the tables of a text's benchmarks as those of a sweep are written. @throws UsageError for JSON */
export function writeTextBenchmarks(
  {format, write, tell}: Pick<CommandContext, 'format' | 'write' | 'tell'>,
  sets: readonly MeasurementSet[],
  layout: SweepLayout,
): void {
  if (format === 'json') {
    throw new UsageError('A text has no steps for JSON. Use --format csv, or gpu-lens info --format json.');
  }
  const tables = sets.flatMap(({title, measurements}) =>
    // A text prints its points already: only what is computed of them is wanted, unless they are asked for.
    benchmarkTables(measurements, layout, {hasPoints: false}).map(table => ({
      ...table,
      title: `${title}: ${table.title}`,
    })),
  );
  write(tablesText(tables, format));
  if (tables.length === 0) tell(`gpu-lens: ${missingTableText(layout)}`);
  for (const {note} of sets) if (note !== null) tell(`gpu-lens: ${note}`);
}
