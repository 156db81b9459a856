import {processKeySql, threadIdSql} from '../nsys-identity.js';
import {rowsPerTurn, type NsysReader} from '../nsys-reader.js';
import {markTypes} from '../nvtx-domains.js';
import {addInstant} from './add-instant.js';
import type {EventReader} from './event-reader.js';
import {sourceOf} from './row-place.js';

export const markReader: EventReader = {
  table: 'NVTX_EVENTS',
  what: 'NVTX marks',
  columns: ['start', 'eventType', 'globalTid'],
  isPartOfTable: true,
  read: readMarks,
};

/** NVTX marks: instants on their thread, named as ranges are. */
function* readMarks(reader: NsysReader): Generator<number> {
  const {db, strings, tracks, nvtxDomains} = reader;
  if (!nvtxDomains.hasMarks) return;
  const sql = `select rowid, start, ${processKeySql('globalTid')}, ${threadIdSql('globalTid')},
    ${db.column('NVTX_EVENTS', 'text', 'null')}, ${db.column('NVTX_EVENTS', 'textId', 'null')},
    ${db.column('NVTX_EVENTS', 'domainId', '0')} from NVTX_EVENTS where eventType in (${markTypes.join()})`;
  type Row = [number, number, number, number, unknown, number | null, number | null];
  let rows = 0;
  for (const [rowid, start, key, tid, text, textId, domainId] of db.rows<Row>(sql)) {
    const name = nvtxDomains.index(strings, key, domainId, text, textId);
    addInstant(reader, tracks.thread(key, tid), start, name, 'nvtx_mark', NaN, sourceOf('NVTX_EVENTS', rowid));
    if (++rows % rowsPerTurn === 0) yield rowsPerTurn;
  }
  yield rows % rowsPerTurn;
}
