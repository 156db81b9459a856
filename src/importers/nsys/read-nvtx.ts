import {integer, text, type Batch} from '../sqlite/table-source.js';
import {processKeyOf, threadIdOf} from './nsys-identity.js';
import type {NsysReader} from './nsys-reader.js';
import {NvtxDomains} from './nvtx-domains.js';

/** ENUM_NSYS_EVENT_TYPE: ids have been stable, while the table itself may be missing or empty. */
const pushPop = 59;
const startEnd = 60;
const importedPushPop = 70;
const importedStartEnd = 71;

/**
 * NVTX ranges. Names are in `text`, or in `textId` where the string was registered; ranges of a named domain are called
 * `domain:name`. A range that was still open at the end has no end in most versions: it is closed at the last event.
 */
export function* readNvtx(reader: NsysReader): Generator<number> {
  if (!reader.db.has('NVTX_EVENTS', 'start', 'end', 'eventType', 'globalTid')) return;
  const domains = new NvtxDomains(reader);
  for (const batch of reader.source.read('NVTX_EVENTS', requests)) {
    reader.see('NVTX_EVENTS', batch.columns.start, batch.columns.end, batch.length);
    addRanges(reader, domains, batch);
    yield batch.length;
  }
}

function addRanges(reader: NsysReader, domains: NvtxDomains, {length, rowid, columns}: Batch<typeof requests>): void {
  const {strings, tracks} = reader;
  const {start, end, type, processKey, threadId, name, nameId, domainId} = columns;
  for (let i = 0; i < length; i++) {
    const isPushPop = type[i] === pushPop || type[i] === importedPushPop;
    if (!isPushPop && type[i] !== startEnd && type[i] !== importedStartEnd) continue;
    const kind = isPushPop ? 'nvtx_pushpop' : 'nvtx_startend';
    const track = isPushPop ? tracks.thread(processKey[i], threadId[i]) : tracks.processRanges(processKey[i]);
    const plain = Number.isNaN(nameId[i]) ? name[i] : strings.index(nameId[i]);
    const range = domains.nameOf(processKey[i], domainId[i], plain);
    if (Number.isNaN(end[i])) reader.openRange(track, start[i], range, kind, rowid[i]);
    else reader.slice(track, start[i], end[i], range, kind, rowid[i]);
  }
}

const requests = {
  start: integer('start'),
  end: integer('end'),
  type: integer('eventType'),
  processKey: processKeyOf('globalTid'),
  threadId: threadIdOf('globalTid'),
  name: text('text'),
  nameId: integer('textId'),
  domainId: integer('domainId'),
};
