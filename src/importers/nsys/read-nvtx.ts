import type {NsysDatabase} from './nsys-database.js';
import {processKeySql, threadIdSql} from './nsys-identity.js';
import {latestNs, rowsPerTurn, type NsysReader} from './nsys-reader.js';

/** ENUM_NSYS_EVENT_TYPE: ids have been stable, while the table itself may be missing or empty. */
const eventType = {pushPop: 59, startEnd: 60, importedPushPop: 70, importedStartEnd: 71, domainCreate: 75} as const;
const pushPopTypes = new Set<number>([eventType.pushPop, eventType.importedPushPop]);

/**
 * NVTX ranges. Names are in `text`, or in `textId` where the string was registered; ranges of a named domain are called
 * `domain:name`. A range that was still open at the end has no end in most versions: it is closed at the last event.
 */
export function* readNvtx(reader: NsysReader): Generator<number> {
  const {db, builder, strings, tracks} = reader;
  if (!db.has('NVTX_EVENTS', 'start', 'end', 'eventType', 'globalTid')) return;
  const domains = readDomains(reader);
  // Asked for only if there is an open range: it reads every table.
  let lastNs: number | null = null;
  const sql = `select rowid, start, "end", eventType, ${processKeySql('globalTid')}, ${threadIdSql('globalTid')},
    ${db.column('NVTX_EVENTS', 'text', 'null')}, ${db.column('NVTX_EVENTS', 'textId', 'null')},
    ${db.column('NVTX_EVENTS', 'domainId', '0')}
    from NVTX_EVENTS
    where eventType in (${[eventType.pushPop, eventType.startEnd, eventType.importedPushPop, eventType.importedStartEnd].join()})`;
  type Row = [number, number, number | null, number, number, number, unknown, number | null, number | null];
  let rows = 0;
  for (const [rowid, start, end, type, processKey, tid, text, textId, domainId] of db.rows<Row>(sql)) {
    const plain = textId === null ? (typeof text === 'string' ? text : '') : strings.text(textId);
    const name = builder.rangeName(plain, domains.get(domainKey(domainId, processKey)) ?? '');
    const isPushPop = pushPopTypes.has(type);
    const track = isPushPop ? tracks.thread(processKey, tid) : tracks.processRanges(processKey);
    let endNs = end;
    if (endNs === null) {
      reader.openRanges++;
      endNs = Math.max(start, (lastNs ??= lastEventNs(db)));
    }
    reader.slice(track, start, endNs, name, isPushPop ? 'nvtx_pushpop' : 'nvtx_startend', rowid);
    if (++rows % rowsPerTurn === 0) yield rowsPerTurn;
  }
  yield rows % rowsPerTurn;
}

/** Domain names: ids count per process, and the event that creates a domain carries its name. */
function readDomains({db, strings}: NsysReader): Map<string, string> {
  const domains = new Map<string, string>();
  if (!db.has('NVTX_EVENTS', 'domainId')) return domains;
  const sql = `select ${processKeySql('globalTid')}, domainId, ${db.column('NVTX_EVENTS', 'text', 'null')},
    ${db.column('NVTX_EVENTS', 'textId', 'null')}
    from NVTX_EVENTS where eventType = ${String(eventType.domainCreate)} order by start desc`;
  for (const [processKey, domainId, text, textId] of db.rows<[number, number, unknown, number | null]>(sql)) {
    const name = typeof text === 'string' && text !== '' ? text : strings.text(textId);
    domains.set(domainKey(domainId, processKey), name);
  }
  return domains;
}

function domainKey(domainId: number | null, processKey: number): string {
  return `${String(processKey)} ${String(domainId ?? 0)}`;
}

/** The latest start or end of all events: what was launched inside an open range belongs to it. */
function lastEventNs(db: NsysDatabase): number {
  let lastNs = 0;
  for (const table of db.tables) {
    if (!db.has(table, 'start')) continue;
    const [end, isValid] = db.has(table, 'end')
      ? ['coalesce("end", start)', '"end" is null or "end" >= start']
      : ['start', '1'];
    // Text sorts above every number.
    const sql = `select max(${end}) from "${table.replaceAll('"', '""')}" where typeof(start) = 'integer' and (${isValid})`;
    for (const [last] of db.rows<[unknown]>(sql)) {
      if (typeof last === 'number' && last <= latestNs) lastNs = Math.max(lastNs, last);
    }
  }
  return lastNs;
}
