import type {TraceBuilder} from '../../core/trace/trace-builder.js';
import {gpuOperationKinds, type SliceKind} from '../../core/trace/slices.js';
import type {TraceCounts} from '../../core/trace/trace.js';
import type {NsysDatabase} from './nsys-database.js';
import {processKeySql} from './nsys-identity.js';
import type {NsysStrings} from './nsys-strings.js';
import type {NsysTracks} from './nsys-tracks.js';

/** A reader yields after about this many rows, so that progress and cancel get their turn. */
export const rowsPerTurn = 50_000;

/** A later time is no time: nsys counts from the beginning of the recording, and this is 104 days. */
export const latestNs = Number.MAX_SAFE_INTEGER;

/** Reads tables into the builder, and remembers what a note must tell. */
export class NsysReader {
  invalidRows = 0;
  openRanges = 0;
  /** Tables that are there and could not be read, each with the reason. */
  readonly unreadTables: string[] = [];
  readonly rowsOfKind = new Map<SliceKind, number>();
  #onlyProcess: number | null | undefined;

  constructor(
    readonly db: NsysDatabase,
    readonly builder: TraceBuilder,
    readonly strings: NsysStrings,
    readonly tracks: NsysTracks,
  ) {}

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

  /** The only process with API calls: what old schemas without `globalPid` on kernels mean. */
  get onlyProcess(): number | null {
    if (this.#onlyProcess === undefined) {
      const keys = this.db.has('CUPTI_ACTIVITY_KIND_RUNTIME', 'globalTid')
        ? [...this.db.rows<[number]>(`select distinct ${processKeySql('globalTid')} from CUPTI_ACTIVITY_KIND_RUNTIME`)]
        : [];
      this.#onlyProcess = keys.length === 1 ? (keys[0]?.[0] ?? null) : null;
    }
    return this.#onlyProcess;
  }

  /**
   * Adds a slice, or counts a row that no interval can be made of: one without a start, that ends before it, or whose
   * times are absurd.
   */
  slice(track: number, start: number, end: number | null, name: number, kind: SliceKind, rowid: number): number {
    // SQLite columns hold any type, whatever they are declared as.
    const isTimed = Number.isSafeInteger(start) && Number.isSafeInteger(end);
    // What a GPU never began starts at 0: nsys leaves it out too.
    const isBegun = start > 0 || !gpuOperationKinds.has(kind);
    if (!isTimed || end === null || end < start || !isBegun) {
      this.invalidRows++;
      return -1;
    }
    this.rowsOfKind.set(kind, this.rows(kind) + 1);
    return this.builder.addSlice(track, start, end - start, name, kind, rowid);
  }

  rows(kind: SliceKind): number {
    return this.rowsOfKind.get(kind) ?? 0;
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
}
