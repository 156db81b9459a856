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

/** Yields for progress and cancellation after about this many rows. */
export const rowsPerTurn = 50_000;

/** A later time is invalid: nsys counts from the beginning of the recording, and this is 104 days. */
const latestNs = Number.MAX_SAFE_INTEGER;

const bytesPerNumber = 8;

const isOnGpu = kindMask(gpuOperationKinds);

/** Reads tables into the builder, and records what notes must report. */
export class NsysReader {
  invalidRows = 0;
  /** GPU operations whose start and end are both 0. */
  untimedOperations = 0;
  /** Number of switches of a thread to or from a CPU without their counterpart. */
  unpairedSwitches = 0;
  /** Number of recorded calls of fork. */
  forks = 0;
  /** Existing tables that could not be read, each with the reason. */
  readonly unreadTables: string[] = [];
  /** Display names of event tables that could not be read. */
  readonly unreadable: string[] = [];
  readonly #rowsOfKind = new Float64Array(sliceKinds.length);
  /** Tables whose rows are included in `#lastNs`. */
  readonly #seenTables = new Set<string>();
  #lastNs = -Infinity;
  /** Ranges without an end in the file. */
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

  /** Returns whether a table has the columns that its reader needs; records an existing table that lacks some. */
  canRead(table: string, ...columns: string[]): boolean {
    const {db, unreadTables} = this;
    if (db.others.has(table)) unreadTables.push(`${table} (not an ordinary table)`);
    if (!db.has(table)) return false;
    // A selected event is found again by its row id.
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
   * Adds a slice. If the row is not a valid interval (no start, an end before it, or absurd times), counts it and
   * returns -1. `kind` is the kind's index.
   */
  slice(track: number, start: number, end: number, name: number, kind: number, rowid: number): number {
    // SQLite columns may hold any type, whatever their declaration.
    if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || end < start) {
      this.invalidRows++;
      return -1;
    }
    // 0 is a valid time, but CUPTI writes 0 for both if it has no times of an operation.
    if (start === 0 && end === 0 && isOnGpu[kind] === 1) {
      this.untimedOperations++;
      return -1;
    }
    this.#rowsOfKind[kind]++;
    return this.builder.addSliceRow(track, start, end - start, name, kind, rowid);
  }

  /** Adds a range without an end in the recording: it ends with the last event, which is known once all are read. */
  openRange(track: number, start: number, name: number, kind: number, rowid: number): void {
    const slice = this.slice(track, start, start, name, kind, rowid);
    this.#openRanges.push(slice);
  }

  /** Records when a table's rows begin and end; all of its rows must be shown. */
  see(table: string, start: Float64Array, end: Float64Array, length: number): void {
    this.#seenTables.add(table);
    for (let i = 0; i < length; i++) {
      const last = Number.isNaN(end[i]) ? start[i] : end[i];
      if (last > this.#lastNs && start[i] <= last && Number.isSafeInteger(last)) this.#lastNs = last;
    }
  }

  /** Ends the open ranges, so that the launches in them belong to them. Call this after all tables are read. */
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
