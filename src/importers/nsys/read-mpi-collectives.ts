import type {CollectiveArguments} from '../../core/figures/report-details.js';
import {kindIndex} from '../../core/trace/slices.js';
import type {Trace} from '../../core/trace/trace.js';
import type {NsysDatabase} from './database/nsys-database.js';
import {sourceOf} from './events/row-place.js';
import {slicesBySource} from './slices-by-source.js';

const table = 'MPI_COLLECTIVES_EVENTS';

/**
 * Returns the file's arguments of the trace's collective MPI calls by their row in `slices`. With `commUid`, reports
 * give communicators the same name on all ranks; without it, each process has handles of its own.
 */
export function readMpiCollectives(db: NsysDatabase, trace: Trace): ReadonlyMap<number, CollectiveArguments> | null {
  if (!db.has(table)) return null;
  const calls = new Map<number, CollectiveArguments>();
  const sliceOf = slicesBySource(trace, kindIndex.mpi);
  const sizes = readSizes(db);
  const sql = `select rowid, ${idSql(db, 'commUid')}, ${idSql(db, 'commHandle')}, ${db.column(table, 'size', 'null')}
    from ${table}`;
  for (const [rowid, uid, handle, bytes] of db.rows<[number, string | null, string | null, unknown]>(sql)) {
    const slice = sliceOf.get(sourceOf(table, rowid));
    if (slice === undefined) continue;
    calls.set(slice, {
      ...{operation: null, groupDescription: null, dataType: null, groupRanks: null, splits: null},
      ...{inElements: NaN, outElements: NaN, sequence: NaN, peer: NaN},
      group: uid === null ? null : `MPI communicator ${uid}`,
      groupSize: sizes.get(uid ?? '') ?? NaN,
      mpi: {bytes: typeof bytes === 'number' ? bytes : NaN, handle},
    });
  }
  return calls;
}

/** An id or a handle of up to 64 bits, which only a text can hold. */
function idSql(db: NsysDatabase, name: string): string {
  const column = db.column(table, name, 'null');
  return `iif(typeof(${column}) = 'integer', cast(${column} as text), null)`;
}

/** Returns the number of ranks of each communicator, if the file has exactly one number for it. */
function readSizes(db: NsysDatabase): ReadonlyMap<string, number> {
  if (!db.has('MPI_COMMUNICATORS', 'commUid', 'size')) return new Map();
  const sql = `select cast(commUid as text), max(size) from MPI_COMMUNICATORS where commUid is not null
    and typeof(size) = 'integer' group by commUid having min(size) = max(size)`;
  return new Map(db.rows<[string, number]>(sql));
}
