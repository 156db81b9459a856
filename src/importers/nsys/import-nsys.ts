import {basename} from 'node:path';
import {TraceError} from '../../core/errors.js';
import {TraceBuilder} from '../../core/trace/trace-builder.js';
import type {Trace} from '../../core/trace/trace.js';
import type {FileHead, Importer, ImportOptions} from '../importer.js';
import {NsysDatabase} from './nsys-database.js';
import {readVersion} from './nsys-meta.js';
import {nsysNotes} from './nsys-notes.js';
import {NsysReader} from './nsys-reader.js';
import {NsysStrings} from './nsys-strings.js';
import {NsysTracks} from './nsys-tracks.js';
import {tableReaders} from './table-readers.js';

/**
 * SQLite files that Nsight Systems exports (`nsys export --type sqlite`), schema 2.9 to 3.25.
 *
 * Tables and columns come and go between versions, so each is looked for, none assumed. Read: kernels, copies, memsets,
 * whole graphs, runtime and driver API, NVTX ranges, OS runtime, profiler overhead, names. Other tables are named in a
 * note.
 */
export const nsysImporter: Importer = {
  format: 'nsys',

  matches({head}: FileHead): boolean {
    return head.toString('latin1', 0, 16) === 'SQLite format 3\0';
  },

  async read(file: FileHead, options: ImportOptions): Promise<Trace> {
    const db = new NsysDatabase(file);
    try {
      return await readDatabase(db, file, options);
    } catch (error) {
      if (error instanceof TraceError) throw error;
      throw new TraceError('import/damaged', `${basename(file.path)} is damaged: ${reasonOf(error)}.`, {cause: error});
    } finally {
      db.close();
    }
  },
};

async function readDatabase(db: NsysDatabase, file: FileHead, options: ImportOptions): Promise<Trace> {
  const builder = new TraceBuilder();
  const strings = new NsysStrings(db, builder.strings);
  const reader = new NsysReader(db, builder, strings, new NsysTracks(db, builder, strings));
  const total = tableReaders.reduce(
    (sum, {tables}) => sum + tables.reduce((rows, table) => rows + db.estimate(table), 0),
    0,
  );
  let readRows = 0;
  for (const {read} of tableReaders) {
    for (const rows of read(reader)) {
      readRows += rows;
      options.onProgress?.({
        bytes: Math.round((file.bytes * readRows) / Math.max(1, total)),
        totalBytes: file.bytes,
        events: readRows,
      });
      await yieldToMessages();
      if (options.signal?.aborted) {
        throw new TraceError('import/cancelled', `Opening ${basename(file.path)} was cancelled.`);
      }
    }
  }
  if (builder.sliceCount === 0 && db.damagedTables.length > 0) {
    throw new TraceError('import/damaged', `${basename(file.path)} is cut off or damaged before its first event.`);
  }
  if (builder.sliceCount === 0) {
    throw new TraceError(
      'import/no-events',
      `${basename(file.path)} is an Nsight Systems export without any CUDA, NVTX or OS runtime events.`,
    );
  }
  reader.tracks.nameDevices();
  return builder.finish({
    meta: {format: 'nsys', profiler: 'Nsight Systems', version: readVersion(db), rank: null, worldSize: null},
    baseNs: 0n,
    counts: reader.counts(),
    notes: nsysNotes(db, reader),
  });
}

/** Lets a cancel message in: reading a table does not return to the event loop by itself. */
function yieldToMessages(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve));
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
