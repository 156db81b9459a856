import type {TraceBuilder} from '../../../core/trace/trace-builder.js';
import {gpuOperationKinds, kindIndex, kindMask, sliceKinds, type SliceKind} from '../../../core/trace/slices.js';
import type {TraceCounts} from '../../../core/trace/trace.js';
import type {MemoryBudget} from '../../reading/memory-budget.js';
import type {TableSource} from '../../sqlite/table-source.js';
import type {NsysDatabase} from './nsys-database.js';
import {processKeyOf} from './nsys-identity.js';
import type {NsysStrings} from './nsys-strings.js';
import type {NsysTracks} from './nsys-tracks.js';
import {apiCallTable} from './table-names.js';

/** Progress and cancel get their turn after about this many rows. */
export const rowsPerTurn = 50_000;

/** A later time is no time: nsys counts from the beginning of the recording, and this is 104 days. */
const latestNs = Number.MAX_SAFE_INTEGER;

const bytesPerNumber = 8;

const isOnGpu = kindMask(gpuOperationKinds);

/** Reads tables into the builder, and remembers what a note must tell. */
export class NsysReader {
  invalidRows = 0;
  /** GPU operations whose start and end are both 0. */
  untimedOperations = 0;
  /** Switches of a thread to or from a CPU without the other. */
  unpairedSwitches = 0;
  /** Calls of fork that were recorded. */
  forks = 0;
  /** Tables that are there and could not be read, each with the reason. */
  readonly unreadTables: string[] = [];
  /** Tables of further events that could not be read, by what a person calls their rows. */
  readonly unreadable: string[] = [];
  readonly #rowsOfKind = new Float64Array(sliceKinds.length);
  /** Tables whose rows `#lastNs` knows. */
  readonly #seenTables = new Set<string>();
  #lastNs = -Infinity;
  /** Ranges that had no end in the file. */
  readonly #openRanges: number[] = [];
  #onlyProcess: number | undefined;

  constructor(
    readonly db: NsysDatabase,
    readonly source: TableSource,
    readonly builder: TraceBuilder,
    readonly strings: NsysStrings,
    readonly tracks: NsysTracks,
    readonly budget: MemoryBudget,
  ) {
    budget.watch(() => this.#openRanges.length * bytesPerNumber);
  }

  get openRanges(): number {
    return this.#openRanges.length;
  }

  /** Whether a table has what its reader needs; one that is there and has not is remembered. */
  canRead(table: string, ...columns: string[]): boolean {
    const {db, unreadTables} = this;
    if (db.others.has(table)) unreadTables.push(`${table} (not an ordinary table)`);
    if (!db.has(table)) return false;
    // What a person selects is found again by it.
    const missing = columns.filter(column => !db.has(table, column));
    if (missing.length > 0) unreadTables.push(`${table} (without ${missing.join(', ')})`);
    else if (!db.hasRowIds(table)) unreadTables.push(`${table} (without row ids)`);
    else return true;
    return false;
  }

  /** The only process with API calls, which rows without a process belong to (old schemas have none on kernels); or 0. */
  get onlyProcess(): number {
    return (this.#onlyProcess ??= this.#findOnlyProcess());
  }

  /**
   * Adds a slice, or counts a row that no interval can be made of, and returns -1: one without a start, that ends before
   * it, or whose times are absurd. `kind` is the kind's index.
   */
  slice(track: number, start: number, end: number, name: number, kind: number, rowid: number): number {
    // SQLite columns hold any type, whatever they are declared as.
    if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || end < start) {
      this.invalidRows++;
      return -1;
    }
    // 0 is a time like any other, but CUPTI writes 0 for both where it has no times of an operation.
    if (start === 0 && end === 0 && isOnGpu[kind] === 1) {
      this.untimedOperations++;
      return -1;
    }
    this.#rowsOfKind[kind]++;
    return this.builder.addSliceRow(track, start, end - start, name, kind, rowid);
  }

  /** Adds a range that the recording saw no end of: it ends with the last event, which is known when all are read. */
  openRange(track: number, start: number, name: number, kind: number, rowid: number): void {
    const slice = this.slice(track, start, start, name, kind, rowid);
    this.#openRanges.push(slice);
  }

  /** Takes note of when a table's rows begin and end; all of its rows must be shown. */
  see(table: string, start: Float64Array, end: Float64Array, length: number): void {
    this.#seenTables.add(table);
    for (let i = 0; i < length; i++) {
      const last = Number.isNaN(end[i]) ? start[i] : end[i];
      if (last > this.#lastNs && start[i] <= last && Number.isSafeInteger(last)) this.#lastNs = last;
    }
  }

  /** Ends the open ranges: what was launched inside one belongs to it. To be called when all tables are read. */
  closeRanges(): void {
    if (this.#openRanges.length === 0) return;
    for (const table of this.db.tables) {
      if (!this.#seenTables.has(table)) this.#lastNs = Math.max(this.#lastNs, this.#lastOf(table));
    }
    for (const slice of this.#openRanges) if (slice >= 0) this.builder.endSlice(slice, this.#lastNs);
  }

  rows(kind: SliceKind): number {
    return this.#rowsOfKind[kindIndex[kind]];
  }

  counts(): TraceCounts {
    return {
      kernels: this.rows('kernel'),
      memcpys: this.rows('gpu_memcpy'),
      memsets: this.rows('gpu_memset'),
      apiCalls: this.rows('cuda_runtime') + this.rows('cuda_driver'),
      cpuOps: 0,
      ranges: this.rows('nvtx_pushpop') + this.rows('nvtx_startend'),
      pythonFrames: 0,
      flows: 0,
    };
  }

  #lastOf(table: string): number {
    if (!this.db.has(table, 'start')) return -Infinity;
    const [end, isValid] = this.db.has(table, 'end')
      ? ['coalesce("end", start)', '"end" is null or "end" >= start']
      : ['start', '1'];
    // Text sorts above every number.
    const sql = `select max(${end}) from "${table.replaceAll('"', '""')}" where typeof(start) = 'integer' and (${isValid})`;
    const [[last] = []] = [...this.db.rows<[unknown]>(sql)];
    return typeof last === 'number' && last <= latestNs ? last : -Infinity;
  }

  #findOnlyProcess(): number {
    const table = apiCallTable;
    if (!this.db.has(table, 'globalTid') || !this.db.hasRowIds(table)) return 0;
    const keys = new Set<number>();
    for (const {length, columns} of this.source.read(table, {processKey: processKeyOf('globalTid')})) {
      for (let i = 0; i < length; i++) if (!Number.isNaN(columns.processKey[i])) keys.add(columns.processKey[i]);
    }
    const [only = 0] = keys;
    return keys.size === 1 ? only : 0;
  }
}
