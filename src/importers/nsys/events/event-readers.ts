import {isOutOfMemory, TraceError} from '../../../core/base/errors.js';
import type {NsysDatabase} from '../database/nsys-database.js';
import type {NsysReader} from '../database/nsys-reader.js';
import {callReaders} from './call-tables.js';
import type {EventReader} from './event-reader.js';
import {gpuMetricsReader} from './read-gpu-metrics.js';
import {memoryUsageReader} from './read-memory-usage.js';
import {pageFaultReaders} from './read-page-faults.js';
import {sampleReader} from './read-samples.js';
import {schedulingReader} from './read-scheduling.js';
import {syncReader} from './read-synchronisation.js';

const readers: readonly EventReader[] = [
  syncReader,
  ...callReaders,
  schedulingReader,
  sampleReader,
  gpuMetricsReader,
  memoryUsageReader,
  ...pageFaultReaders,
];

/**
 * Returns the readers of event tables (other than GPU work, API calls and ranges) that the export has, with the columns
 * that they need.
 */
export function eventReaders(
  db: NsysDatabase,
): {readonly table: string; readonly read: (reader: NsysReader) => Generator<number>}[] {
  return readableIn(db).map(reader => ({
    table: reader.table,
    read: nsys => guarded(nsys, reader),
  }));
}

/** Returns the event tables that are read. */
export function eventTablesRead(db: NsysDatabase): Set<string> {
  return new Set(readableIn(db).map(({table}) => table));
}

/** Returns the display name of a table's rows; null for an unknown table. */
export function nameOfEventTable(table: string): string | null {
  return readers.find(reader => reader.table === table)?.what ?? null;
}

function readableIn(db: NsysDatabase): EventReader[] {
  return readers.filter(({table, columns}) => db.has(table, ...columns));
}

/** Reads a table; if it is damaged, others are still read, and a note names it. */
function* guarded(nsys: NsysReader, {what, read}: EventReader): Generator<number> {
  try {
    yield* read(nsys);
  } catch (error) {
    if (error instanceof TraceError || isOutOfMemory(error)) throw error;
    nsys.unreadable.push(what);
  }
}
