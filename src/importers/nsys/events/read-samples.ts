import {bytesPerEntry} from '../../reading/memory-budget.js';
import {processKeySql, threadIdSql} from '../database/nsys-identity.js';
import {rowsPerTurn, type NsysReader} from '../database/nsys-reader.js';
import {addInstant} from './add-instant.js';
import type {EventReader} from './event-reader.js';
import {sourceOf} from './row-place.js';

export const sampleReader: EventReader = {
  table: 'COMPOSITE_EVENTS',
  what: 'CPU samples',
  columns: ['id', 'start', 'globalTid'],
  read: readSamples,
};

/** The name of a sample without a call chain in the file. */
const unknownFunction = '(unknown function)';

/**
 * Reads CPU samples: instants on their thread, named by the running function. The call chain is read when one is
 * selected.
 */
function* readSamples(reader: NsysReader): Generator<number> {
  const {db, builder, strings, tracks, budget} = reader;
  const leafOf = new Map<number, number>();
  const forget = budget.watch(() => leafOf.size * bytesPerEntry);
  let rows = 0;
  if (db.has('SAMPLING_CALLCHAINS', 'id', 'symbol', 'stackDepth')) {
    // A join would be quadratic if a hostile file lacks the primary key.
    const sql = 'select id, symbol from SAMPLING_CALLCHAINS where stackDepth = 0';
    for (const [id, symbol] of db.rows<[number, number]>(sql)) {
      leafOf.set(id, strings.index(symbol));
      if (++rows % rowsPerTurn === 0) yield 0;
    }
  }
  const unknown = builder.strings.intern(unknownFunction);
  const sql = `select rowid, id, start, ${processKeySql('globalTid')}, ${threadIdSql('globalTid')} from COMPOSITE_EVENTS`;
  rows = 0;
  for (const [rowid, id, start, key, tid] of db.rows<[number, number, number, number, number]>(sql)) {
    const name = leafOf.get(id) ?? 0;
    const source = sourceOf('COMPOSITE_EVENTS', rowid);
    addInstant(reader, tracks.thread(key, tid), start, name === 0 ? unknown : name, 'cpu_sample', null, source);
    if (++rows % rowsPerTurn === 0) yield rowsPerTurn;
  }
  forget();
  yield rows % rowsPerTurn;
}
