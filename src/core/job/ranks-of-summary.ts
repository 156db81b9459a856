import {collectiveOperations} from '../figures/collective-bandwidth.js';
import {timeParts} from '../summary/time-parts.js';
import {rankSources, type JobRank} from './job-rank.js';
import type {SummaryColumnName, SummaryTable} from './summary-table.js';

/** Says that a table is no summary, and why. */
export class NotASummary extends Error {}

type Grown<Key extends keyof JobRank> = JobRank[Key] extends readonly (infer Item)[] ? Item[] : never;
interface GrowingRank extends JobRank {
  readonly parts: Grown<'parts'>;
  readonly steps: Grown<'steps'>;
  readonly ranges: Grown<'ranges'>;
  readonly calls: Grown<'calls'>;
  readonly kernels: Grown<'kernels'>;
  /** Step's number → its position. */
  readonly positions: Map<number, number>;
}

/**
 * Returns the ranks that a summary tells of, those that `summaryTable` was made of. Rows of kinds that are not known are
 * passed over.
 *
 * @param position number of the first rank among those of the job, for ranks that nothing tells
 * @throws NotASummary
 */
export function ranksOfSummary(table: SummaryTable, rows: number, position: number): JobRank[] {
  const cells = new Cells(table);
  const ranks = new Map<string, GrowingRank>();
  for (let row = 0; row < rows; row++) {
    if (cells.text('kind', row) !== 'rank') continue;
    const rank = rankOf(cells, row, position + ranks.size);
    ranks.set(keyOf(cells, row), rank);
  }
  if (ranks.size === 0) throw new NotASummary('it has no row of the kind "rank"');
  const [only] = ranks.size === 1 ? ranks.values() : [null];
  for (let row = 0; row < rows; row++) {
    const rank = only ?? ranks.get(keyOf(cells, row));
    if (!rank) throw new NotASummary(`row ${String(row)} is of a rank that it does not list`);
    addRow(cells, row, rank);
  }
  return [...ranks.values()].map(({positions, ...rank}) => rank);
}

function keyOf(cells: Cells, row: number): string {
  return `${cells.text('process', row) ?? ''} ${cells.text('file', row) ?? ''}`;
}

function rankOf(cells: Cells, row: number, position: number): GrowingRank {
  const from = cells.oneOf('rank_from', row, rankSources);
  const told = cells.number('rank', row);
  const rank = from === 'order' ? position : told;
  if (rank === null || rank < 0) throw new NotASummary(`row ${String(row)} has no rank`);
  return {
    ...{rank, rankFrom: from, worldSize: cells.number('world_size', row), host: cells.text('host', row)},
    ...{file: cells.text('file', row) ?? '', process: cells.text('process', row)},
    originNs: cells.bigint('origin_ns', row),
    isTimeOfDay: cells.number('is_time_of_day', row) === 1,
    ...{parts: [], steps: [], ranges: [], calls: [], kernels: [], positions: new Map<number, number>()},
  };
}

function addRow(cells: Cells, row: number, rank: GrowingRank): void {
  const measure = (column: SummaryColumnName) => cells.measure(column, row);
  switch (cells.text('kind', row)) {
    case 'part':
      rank.parts.push({part: cells.oneOf('name', row, timeParts), ns: measure('duration_ns')});
      return;
    case 'step': {
      const number = measure('step');
      rank.positions.set(number, rank.steps.length);
      rank.steps.push({number, startNs: measure('start_ns'), endNs: measure('end_ns')});
      return;
    }
    case 'range':
      rank.ranges.push({
        ...{name: cells.text('name', row) ?? '', gpuWorkNs: cells.number('gpu_work_ns', row)},
        ...{cpuWallNs: measure('cpu_wall_ns'), cpuSelfNs: measure('cpu_self_ns')},
      });
      return;
    case 'kernel':
      rank.kernels.push({
        ...{name: cells.text('name', row) ?? '', count: measure('count'), gpuWorkNs: measure('gpu_work_ns')},
      });
      return;
    case 'collective':
      rank.calls.push({
        operation: cells.oneOf('name', row, collectiveOperations),
        ...{group: cells.text('process_group', row), groupSize: cells.number('group_size', row) ?? NaN},
        sequence: cells.number('sequence', row) ?? NaN,
        ...{startNs: measure('start_ns'), endNs: measure('end_ns'), busyNs: measure('busy_ns')},
        bytes: cells.number('bytes', row) ?? NaN,
        step: rank.positions.get(cells.number('step', row) ?? NaN) ?? -1,
      });
  }
}

/** The cells of a table that anybody may have written. */
class Cells {
  constructor(private readonly table: SummaryTable) {}

  text(column: SummaryColumnName, row: number): string | null {
    const value = this.#at(column, row);
    if (value === null || typeof value === 'string') return value;
    throw new NotASummary(`${column} in row ${String(row)} is no text`);
  }

  number(column: SummaryColumnName, row: number): number | null {
    const value = this.#at(column, row);
    if (value === null) return null;
    if (typeof value !== 'string' && Number.isFinite(Number(value))) return Number(value);
    throw new NotASummary(`${column} in row ${String(row)} is no number`);
  }

  /** A number that must be there. */
  measure(column: SummaryColumnName, row: number): number {
    const value = this.number(column, row);
    if (value === null) throw new NotASummary(`${column} in row ${String(row)} is empty`);
    return value;
  }

  bigint(column: SummaryColumnName, row: number): bigint {
    const value = this.#at(column, row);
    if (typeof value === 'bigint') return value;
    return BigInt(Math.round(this.measure(column, row)));
  }

  oneOf<Word extends string>(column: SummaryColumnName, row: number, words: readonly Word[]): Word {
    const text = this.text(column, row);
    const found = words.find(word => word === text);
    if (found === undefined) throw new NotASummary(`${column} in row ${String(row)} is not known`);
    return found;
  }

  #at(column: SummaryColumnName, row: number): string | number | bigint | null {
    return this.table[column]?.[row] ?? null;
  }
}
