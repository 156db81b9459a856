import {comparableAxes, comparedAxes, comparisonTable} from '../core/benchmark/comparison-table.js';
import {environmentDifferences} from '../core/benchmark/environment-differences.js';
import {contractRow, type ContractRow} from '../core/benchmark/contract-row.js';
import {layoutText, type LayoutFormat, type LayoutTable} from '../core/benchmark/layout-table.js';
import {measurementOf, type Measurement} from '../core/benchmark/measurement.js';
import {phasesTable} from '../core/benchmark/phases-table.js';
import {perSecond, type PointResult} from '../core/benchmark/point-result.js';
import {pointsTable} from '../core/benchmark/points-table.js';
import {isUnsteady} from '../core/benchmark/step-statistics.js';
import type {SweepRecord} from '../core/benchmark/sweep-record.js';
import {timesTable} from '../core/benchmark/times-table.js';
import {plural} from '../core/format/count.js';
import {csvCell} from '../core/format/cells.js';
import type {OutputFormat} from './report.js';

export const sweepLayouts = ['auto', 'times', 'comparison', 'phases', 'points'] as const;
export type SweepLayout = (typeof sweepLayouts)[number];

/** What `gpu-lens bench` writes of a sweep. */
export class SweepOutput {
  readonly #results: readonly PointResult[];
  readonly #measurements: readonly Measurement[];

  constructor(
    record: SweepRecord,
    private readonly warmupSteps: number,
    private readonly isDetailed: boolean,
  ) {
    const entries = Array.from(record.results).sort(([a], [b]) => a - b);
    this.#results = entries.map(([, result]) => result);
    this.#measurements = entries.map(([index, result]) => measurementOf(index, result));
  }

  /** JSON has the contract's rows, CSV the same, unless a layout is asked for; tables are laid out as reports do. */
  text(format: OutputFormat, layout: SweepLayout): string {
    if (format === 'json') return `${JSON.stringify(this.#rows(), null, 2)}\n`;
    if (format === 'csv' && layout === 'auto') return this.#csv();
    return tablesText(benchmarkTables(this.#measurements, layout), format);
  }

  /** Sentences about what `text` writes: a layout that has no table, and points measured in different surroundings. */
  notes(format: OutputFormat, layout: SweepLayout): string[] {
    const isEmpty = format !== 'json' && layout !== 'auto' && benchmarkTables(this.#measurements, layout).length === 0;
    const differences = environmentDifferences(this.#results);
    const isForPrograms = format === 'json' || format === 'csv';
    return [
      isEmpty ? missingTableText(layout) : null,
      differences,
      isForPrograms ? null : unsteadyNote(this.#measurements),
    ].filter(note => note !== null);
  }

  #rows(): (ContractRow | (ContractRow & Details))[] {
    return this.#results.map(result => {
      const row = contractRow(result, this.warmupSteps);
      return this.isDetailed ? {...row, ...details(result, row.meanNs)} : row;
    });
  }

  #csv(): string {
    const rows = this.#results.map(result => contractRow(result, this.warmupSteps));
    const [first] = rows;
    if (!first) return '';
    const keys = Object.keys(first) as (keyof ContractRow)[];
    const text = (value: ContractRow[keyof ContractRow]) =>
      value === null ? '' : typeof value === 'object' ? value.join(' ') : String(value);
    return [keys, ...rows.map(row => keys.map(key => csvCell(text(row[key]))))]
      .map(row => `${row.join(',')}\n`)
      .join('');
  }
}

function unsteadyNote(measurements: readonly Measurement[]): string | null {
  const count = measurements.filter(({statistics}) => isUnsteady(statistics)).length;
  if (count === 0) return null;
  return `The steps of ${plural(count, 'measurement')} vary by more than 25 % of their mean. Close other programs, add warm-up steps, or measure more steps.`;
}

/** Returns the tables of a layout. @param hasPoints whether the usual layout ends with every point */
export function benchmarkTables(
  all: readonly Measurement[],
  layout: SweepLayout,
  {hasPoints} = {hasPoints: true},
): LayoutTable[] {
  const comparisons = comparableAxes(all).map(axis => comparisonTable(all, axis));
  const phases = phasesTable(all);
  switch (layout) {
    case 'times':
      return [timesTable(all)];
    case 'comparison':
      return comparisons;
    case 'phases':
      return phases ? [phases] : [];
    case 'points':
      return [pointsTable(all)];
    case 'auto':
      return [timesTable(all), ...comparisons, ...(hasPoints ? [pointsTable(all)] : [])];
  }
}

/** Returns tables as text, each below its title; CSV has no titles. */
export function tablesText(tables: readonly LayoutTable[], format: LayoutFormat): string {
  if (format === 'csv') return tables.map(table => layoutText(table, 'csv')).join('\n');
  const heading = (title: string) => (format === 'markdown' ? `**${title}**\n\n` : `${title}\n\n`);
  return tables.map(table => `${heading(table.title)}${layoutText(table, format)}`).join('\n');
}

/** Returns why a layout has no table. */
export function missingTableText(layout: SweepLayout): string {
  return missingTexts[layout === 'phases' ? 'phases' : 'comparison'];
}

const missingTexts = {
  comparison: `The sweep has nothing to compare: it varies neither ${comparedAxes.slice(0, -1).join(', ')} nor ${comparedAxes.at(-1) ?? ''}.`,
  phases: 'No point of the sweep tells phases of its steps.',
} as const;

interface Details {
  readonly warmupNs: readonly number[];
  readonly phaseNs: PointResult['phaseNs'];
  readonly message: string | null;
  readonly tokensPerSecond: number | null;
  readonly samplesPerSecond: number | null;
  readonly peakBytes: number | null;
  readonly memoryCounts: string | null;
  readonly parameters: number | null;
  readonly parametersWithoutEmbedding: number | null;
  readonly environment: PointResult['environment'];
}

function details(result: PointResult, meanNs: number | null): Details {
  return {
    warmupNs: result.warmupNs,
    phaseNs: result.phaseNs,
    message: result.message,
    tokensPerSecond: perSecond(result.tokens, meanNs),
    samplesPerSecond: perSecond(result.samples, meanNs),
    peakBytes: result.memory?.peakBytes ?? null,
    memoryCounts: result.memory?.counts ?? null,
    parameters: result.parameters,
    parametersWithoutEmbedding: result.parametersWithoutEmbedding,
    environment: result.environment,
  };
}
