import {kindIndex} from '../../../core/trace/slices.js';
import {processKeySql} from '../database/nsys-identity.js';
import {rowsPerTurn, type NsysReader} from '../database/nsys-reader.js';
import {syncTrack} from './event-tracks.js';
import type {EventReader} from './event-reader.js';
import {sourceOf} from './row-place.js';

const table = 'CUPTI_ACTIVITY_KIND_SYNCHRONIZATION';
/** CUPTI's "no stream" and "no event": all bits of 32 set, or -1. */
const isNone = (id: number | null): boolean => id === null || id < 0 || id === 0xffffffff;

export const syncReader: EventReader = {
  table,
  what: 'CUDA synchronisation',
  columns: ['start', 'end', 'deviceId', 'streamId'],
  read: readSynchronisation,
};

type Row = [
  rowid: number,
  start: number,
  end: number | null,
  device: number | null,
  context: number,
  stream: number,
  processKey: number | null,
  event: number | null,
];

/** Reads how long calls waited for the GPU, on the track of what they waited for: a stream, or a whole context. */
function* readSynchronisation(reader: NsysReader): Generator<number> {
  const {db, builder, tracks} = reader;
  const process = db.has(table, 'globalPid') ? processKeySql('globalPid') : 'null';
  const sql = `select rowid, start, "end", deviceId, ${db.column(table, 'contextId', '0')}, streamId, ${process},
    ${db.column(table, 'eventId', 'null')} from ${table}`;
  let last: Row | null = null;
  let track = -1;
  let rows = 0;
  for (const row of db.rows<Row>(sql)) {
    const [rowid, start, end, ordinal, context, stream, globalKey, event] = row;
    if (last === null || !isOnSameTrack(row, last)) {
      const processKey = globalKey ?? reader.onlyProcess;
      const device = tracks.device(processKey, ordinal);
      track = syncTrack(reader, processKey, device, context, isNone(stream) ? null : stream);
      last = row;
    }
    const name = builder.strings.intern(syncName(isNone(stream), isNone(event)));
    reader.slice(track, start, end ?? NaN, name, kindIndex.cuda_sync, sourceOf(table, rowid));
    if (++rows % rowsPerTurn === 0) yield rowsPerTurn;
  }
  yield rows % rowsPerTurn;
}

/** By device, context, stream and process. */
function isOnSameTrack(a: Row, b: Row): boolean {
  return a[3] === b[3] && a[4] === b[4] && a[5] === b[5] && a[6] === b[6];
}

/**
 * What was waited for, by what the row refers to. `syncType` is no help: its numbers differ between versions (2 is a
 * stream wait in one and a stream synchronisation in another), and ENUM_CUPTI_SYNC_TYPE says the same of all.
 *
 * @see docs/formats.md#nsys-synchronisation
 */
function syncName(isWholeContext: boolean, isWithoutEvent: boolean): string {
  if (isWithoutEvent) return isWholeContext ? 'Context sync' : 'Stream sync';
  return isWholeContext ? 'Event sync' : 'Stream wait event';
}
