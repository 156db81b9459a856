import {numberOrNull, parseJsonLine, textOrNull} from '../base/read-json.js';
import {collectiveOperations} from '../figures/collective-bandwidth.js';
import {timeParts} from '../summary/time-parts.js';
import {firstWhere} from '../table/search.js';
import {rankSources, type JobRank, type RankCall, type RankStep} from './job-rank.js';
import type {SummaryColumnName, SummaryTable} from './summary-table.js';

/** Thrown if a table is not a summary; the message says why. */
export class NotASummary extends Error {}

type Grown<Key extends keyof JobRank> = JobRank[Key] extends readonly (infer Item)[] ? Item[] : never;
/** A rank while its rows are read. */
interface GrowingRank extends JobRank {
  readonly parts: Grown<'parts'>;
  readonly steps: Grown<'steps'>;
  readonly ranges: Grown<'ranges'>;
  readonly calls: Grown<'calls'>;
  readonly kernels: Grown<'kernels'>;
  readonly tokens: Grown<'tokens'>;
  readonly grouped: Grown<'grouped'>;
}

/**
 * Reads the ranks from a summary, the inverse of `summaryTable`. Skips rows of unknown kinds.
 *
 * @param position position of the first rank in the job, for ranks without a recorded number
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
  return [...ranks.values()];
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
    device: cells.text('device', row),
    originNs: cells.bigint('origin_ns', row),
    isTimeOfDay: cells.number('is_time_of_day', row) === 1,
    overlap: overlapOf(cells, row),
    ...{parts: [], steps: [], ranges: [], calls: [], kernels: [], tokens: [], grouped: []},
  };
}

function overlapOf(cells: Cells, row: number): JobRank['overlap'] {
  const communicationNs = cells.number('busy_ns', row);
  if (communicationNs === null) return null;
  const exposedNs = cells.measure('exposed_ns', row);
  if (communicationNs > 0 && exposedNs >= 0 && exposedNs <= communicationNs) {
    return {communicationNs, overlapNs: communicationNs - exposedNs};
  }
  throw new NotASummary(`busy_ns and exposed_ns in row ${String(row)} do not fit`);
}

function addRow(cells: Cells, row: number, rank: GrowingRank): void {
  const kind = cells.text('kind', row) ?? '';
  if (Object.hasOwn(adding, kind)) adding[kind as keyof typeof adding](cells, row, rank);
}

const adding = {
  part(cells: Cells, row: number, {parts}: GrowingRank) {
    parts.push({part: cells.oneOf('name', row, timeParts), ns: cells.measure('duration_ns', row)});
  },
  step(cells: Cells, row: number, {steps}: GrowingRank) {
    steps.push({
      number: cells.measure('step', row),
      startNs: cells.measure('start_ns', row),
      endNs: cells.measure('end_ns', row),
    });
  },
  range(cells: Cells, row: number, {ranges}: GrowingRank) {
    ranges.push({
      ...{name: cells.text('name', row) ?? '', gpuWorkNs: cells.number('gpu_work_ns', row)},
      ...{cpuWallNs: cells.measure('cpu_wall_ns', row), cpuSelfNs: cells.measure('cpu_self_ns', row)},
    });
  },
  kernel(cells: Cells, row: number, {kernels}: GrowingRank) {
    const count = cells.measure('count', row);
    kernels.push({name: cells.text('name', row) ?? '', count, gpuWorkNs: cells.measure('gpu_work_ns', row)});
  },
  tokens(cells: Cells, row: number, {tokens}: GrowingRank) {
    const [layer, expert] = [cells.text('layer', row) ?? '', cells.number('expert', row)];
    tokens.push({layer, expert, tokens: cells.measure('count', row)});
  },
  grouped(cells: Cells, row: number, {grouped}: GrowingRank) {
    const [experts, tokens] = [cells.measure('experts', row), cells.measure('count', row)];
    grouped.push({layer: cells.text('layer', row) ?? '', experts, tokens});
  },
  collective(cells: Cells, row: number, {calls, steps}: GrowingRank) {
    const startNs = cells.measure('start_ns', row);
    const orNaN = (column: SummaryColumnName) => cells.number(column, row) ?? NaN;
    // A job has millions of calls: build the object at once, without spreading temporary ones.
    calls.push({
      operation: cells.oneOf('name', row, collectiveOperations),
      group: cells.text('process_group', row),
      groupSize: orNaN('group_size'),
      sequence: orNaN('sequence'),
      startNs,
      endNs: cells.measure('end_ns', row),
      busyNs: cells.measure('busy_ns', row),
      exposedNs: orNaN('exposed_ns'),
      bytes: orNaN('bytes'),
      sentBytes: orNaN('sent_bytes'),
      groupRanks: cells.text('group_ranks', row),
      splits: cells.text('splits', row),
      peer: orNaN('peer'),
      layer: cells.text('layer', row),
      isDispatch: cells.number('is_dispatch', row) === 1,
      step: positionOf(steps, orNaN('step'), startNs),
      mpi: mpiOf(cells, row),
    });
  },
};

function mpiOf(cells: Cells, row: number): RankCall['mpi'] {
  const text = cells.text('mpi', row);
  if (text === null) return null;
  const fields = parseJsonLine(text);
  const name = textOrNull(fields?.['name']);
  if (name === null) throw new NotASummary(`mpi in row ${String(row)} names no function`);
  return {name, bytes: numberOrNull(fields?.['bytes']) ?? NaN, handle: textOrNull(fields?.['handle'])};
}

/** Returns the position of a step, by its number and time. Steps are in order of time, and a number may repeat. */
function positionOf(steps: readonly RankStep[], number: number, atNs: number): number {
  if (Number.isNaN(number)) return -1;
  const next = firstWhere(0, steps.length, at => steps[at].startNs > atNs);
  return next > 0 && steps[next - 1].number === number ? next - 1 : -1;
}

/** The cells of a table from an untrusted file. */
class Cells {
  constructor(private readonly table: SummaryTable) {}

  text(column: SummaryColumnName, row: number): string | null {
    const value = this.#at(column, row);
    if (value === null || typeof value === 'string') return value;
    throw new NotASummary(`${column} in row ${String(row)} is not text`);
  }

  number(column: SummaryColumnName, row: number): number | null {
    const value = this.#at(column, row);
    if (value === null) return null;
    const number = typeof value === 'string' ? NaN : Number(value);
    if (Number.isFinite(number)) return number;
    throw new NotASummary(`${column} in row ${String(row)} is not a number`);
  }

  /** Returns a number, which must be present. */
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
    return (this.table as Partial<SummaryTable>)[column]?.[row] ?? null;
  }
}
