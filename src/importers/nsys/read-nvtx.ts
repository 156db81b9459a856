import {kindIndex} from '../../core/trace/slices.js';
import {integer, text, type Batch} from '../sqlite/table-source.js';
import {addInstant} from './events/add-instant.js';
import {sourceOf} from './events/row-place.js';
import {processKeyOf, threadIdOf} from './database/nsys-identity.js';
import type {NsysReader} from './database/nsys-reader.js';
import {NvtxDomains} from './nvtx-domains.js';
import {ThreadOfRow} from './thread-of-row.js';

// Event sorts as numbers, since there are millions of rows: ranges have the index of their slices' kind.
const {nvtx_pushpop: pushPop, nvtx_startend: startEnd} = kindIndex;
const mark = -1;
const other = -2;

/**
 * Reads NVTX ranges, and marks, which are instants. A name is in `text`, or in `textId` if the string was registered;
 * ranges of a named domain are called `domain:name`. A range that was still open at the end of the recording has no end
 * in most versions: it is closed at the last event.
 */
export function* readNvtx(reader: NsysReader): Generator<number> {
  if (!reader.canRead('NVTX_EVENTS', 'start', 'end', 'eventType', 'globalTid')) return;
  const domains = new NvtxDomains(reader);
  for (const batch of reader.source.read('NVTX_EVENTS', requests)) {
    reader.see('NVTX_EVENTS', batch.columns.start, batch.columns.end, batch.length);
    addEvents(reader, domains, batch);
    yield batch.length;
  }
}

function addEvents(reader: NsysReader, domains: NvtxDomains, {length, rowid, columns}: Batch<typeof requests>): void {
  const {strings, tracks} = reader;
  const {start, end, type, processKey, name, nameId, domainId} = columns;
  const threads = new ThreadOfRow(tracks, columns);
  for (let i = 0; i < length; i++) {
    const sort = sortOf(type[i]);
    if (sort === other) continue;
    const track = sort === startEnd ? tracks.processRanges(processKey[i]) : threads.trackOf(i);
    const plain = Number.isNaN(nameId[i]) ? name[i] : strings.index(nameId[i]);
    const text = domains.nameOf(processKey[i], domainId[i], plain);
    if (sort === mark) {
      addInstant(reader, track, start[i], text, 'nvtx_mark', null, sourceOf('NVTX_EVENTS', rowid[i]));
    } else if (Number.isNaN(end[i])) reader.openRange(track, start[i], text, sort, rowid[i]);
    else reader.slice(track, start[i], end[i], text, sort, rowid[i]);
  }
}

/** ENUM_NSYS_EVENT_TYPE: its ids have been stable, while the table itself may be missing or empty. */
function sortOf(type: number): number {
  switch (type) {
    case 59:
    case 70: // In each pair, the second is from an imported nvtxt file.
      return pushPop;
    case 60:
    case 71:
      return startEnd;
    case 34:
    case 65:
      return mark;
    default:
      return other;
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
