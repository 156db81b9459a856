import {basename} from 'node:path';
import {TraceError} from '../../core/base/errors.js';
import {template, say} from '../../core/base/say.js';
import {assumedThreadNotes} from '../../core/attribution/assumed-threads.js';
import {TraceBuilder} from '../../core/trace/trace-builder.js';
import type {Trace} from '../../core/trace/trace.js';
import {
  throwIfCancelled,
  tooMuchMemory,
  type FileHead,
  type Importer,
  type ImportOptions,
} from '../reading/importer.js';
import {MemoryBudget} from '../reading/memory-budget.js';
import {NotPlain} from '../sqlite/not-plain.js';
import type {TableSource} from '../sqlite/table-source.js';
import {eventReaders} from './events/event-readers.js';
import {NsysDatabase} from './database/nsys-database.js';
import {readRecordingEnd, readDriver, readLaunch, readVersion} from './nsys-meta.js';
import {nsysNotes} from './nsys-notes.js';
import {openTableSource, type ReadingWay} from './open-table-source.js';
import {NsysReader, rowsPerTurn} from './database/nsys-reader.js';
import {NsysStrings} from './database/nsys-strings.js';
import {NsysTracks} from './database/nsys-tracks.js';
import {apiCallTable, gpuTable} from './database/table-names.js';
import {readNsysReportDetails} from './read-report-details.js';
import {readRowArguments} from './read-row.js';
import {tableReaders} from './table-readers.js';

/** The most rows that a file can make us reserve: slices, and rows of each other table. */
const mostExpected = {slices: 32 << 20, others: 4 << 20} as const;

/**
 * SQLite files that Nsight Systems exports (`nsys export --type sqlite`), schema 2.9 to 3.25.
 *
 * Tables and columns come and go between versions, so each is looked for, none assumed. Read: kernels, copies, memsets,
 * whole graphs, runtime and driver API, NVTX, OS runtime, profiler overhead, names (table-readers.ts); synchronisation,
 * calls of libraries, scheduling, CPU samples, GPU metrics, memory and page faults (events/). Other tables are named in
 * a note.
 */
export const nsysImporter: Importer = {
  format: 'nsys',
  title: template('Nsight Systems exports'),
  help: 'Nsight Systems exports (.sqlite), and reports (.nsys-rep) where nsys is installed: GPU_LENS_NSYS, else PATH',
  patterns: {'*.nsys-rep': 'default', '*.qdrep': 'default', '*.sqlite': 'open-with'},

  matches({head}: FileHead): boolean {
    return head.toString('latin1', 0, 16) === 'SQLite format 3\0';
  },

  // The first pages contain the statements that created the tables.
  recognises: ({head}) =>
    /CREATE TABLE "?(?:StringIds|TARGET_INFO_|NVTX_EVENTS|CUPTI_ACTIVITY_KIND_|ENUM_NSYS_)/.test(
      head.toString('latin1'),
    ),

  async read(file: FileHead, options: ImportOptions): Promise<Trace> {
    try {
      return await readNsys(file, options, 'pages');
    } catch (error) {
      if (!(error instanceof NotPlain)) throw error;
      // Rows read so far are discarded, so that none counts twice and all are read the same way.
      return readNsys(file, options, 'sql');
    }
  },

  readArguments: (file, {kind, source}) => Promise.resolve(readRowArguments(file, kind, source)),
  readDetails: (file, trace, wanted) => Promise.resolve(readNsysReportDetails(file, trace, wanted)),
};

/**
 * Returns the trace of an export. Its large tables are read from the pages directly or by SQLite, with the same result
 * but different speed.
 *
 * @throws TraceError `import/…`
 * @throws NotPlain if the pages do not suffice; never with `sql`
 */
export async function readNsys(file: FileHead, options: ImportOptions, way: ReadingWay): Promise<Trace> {
  const db = new NsysDatabase(file);
  let tables: ReturnType<typeof openTableSource> | undefined;
  try {
    return await readDatabase(db, file, options, ({strings}) => {
      tables = openTableSource(db, file, strings, way);
      return tables.source;
    });
  } catch (error) {
    if (error instanceof TraceError || error instanceof NotPlain) throw error;
    throw new TraceError('import/damaged', say('{0} is damaged: {1}.', basename(file.path), reasonOf(error)), {
      cause: error,
    });
  } finally {
    tables?.close();
    db.close();
  }
}

async function readDatabase(
  db: NsysDatabase,
  file: FileHead,
  options: ImportOptions,
  sourceFor: (builder: TraceBuilder) => TableSource,
): Promise<Trace> {
  const sumOf = (tables: readonly string[]) => tables.reduce((sum, table) => sum + db.estimate(table), 0);
  const readers = [...tableReaders, ...eventReaders(db)];
  const total = sumOf(readers.map(({table}) => table));
  const builder = new TraceBuilder({
    slices: Math.min(mostExpected.slices, 1024 + total),
    gpuOperations: Math.min(mostExpected.others, 1024 + sumOf(Object.values(gpuTable))),
    apiCalls: Math.min(mostExpected.others, 1024 + db.estimate(apiCallTable)),
  });
  const budget = new MemoryBudget(builder, options.memoryLimit);
  const strings = new NsysStrings(db, builder.strings, budget);
  const reader = new NsysReader(
    db,
    sourceFor(builder),
    builder,
    strings,
    new NsysTracks(db, builder, strings, budget),
    budget,
  );
  options.onBegin?.(() => builder.draft);
  let readRows = 0;
  let reportedRows = -rowsPerTurn;
  for (const rows of rowsOfAll(readers, reader)) {
    readRows += rows;
    if (budget.isSpent()) break;
    if (readRows < reportedRows + rowsPerTurn) continue;
    reportedRows = readRows;
    options.onProgress?.({
      bytes: Math.min(file.bytes, Math.round((file.bytes * readRows) / Math.max(1, total))),
      totalBytes: file.bytes,
      events: readRows,
    });
    await yieldToMessages();
    throwIfCancelled(options.signal, file.path);
  }
  reader.closeRanges();
  if (builder.sliceCount + builder.points.count === 0) {
    throw budget.note ? tooMuchMemory(file, options.memoryLimit) : noEvents(db);
  }
  reader.tracks.nameDevices();
  const trace = builder.finish({
    meta: {
      format: 'nsys',
      profiler: 'Nsight Systems',
      version: readVersion(db),
      driver: readDriver(db),
      rank: null,
      worldSize: null,
      groupSize: null,
      launch: readLaunch(db),
      numbersRanges: true,
      countsFromRecording: true,
    },
    baseNs: 0n,
    recordingEndNs: readRecordingEnd(db),
    counts: reader.counts(),
    notes: [...(budget.note ? [budget.note] : []), ...nsysNotes(db, reader)],
  });
  return {...trace, notes: [...trace.notes, ...assumedThreadNotes(trace)]};
}

/** Yields each reader's number of rows. */
function* rowsOfAll(
  readers: readonly Pick<(typeof tableReaders)[number], 'read'>[],
  reader: NsysReader,
): Generator<number> {
  for (const {read} of readers) yield* read(reader);
}

function noEvents({file, damagedTables}: NsysDatabase): TraceError {
  const name = basename(file.path);
  return damagedTables.length > 0
    ? new TraceError('import/damaged', say('{0} is cut off or damaged before its first event.', name))
    : new TraceError(
        'import/no-events',
        say('{0} is an Nsight Systems export without any events that can be shown.', name),
      );
}

/** Lets a cancel message arrive: reading a table does not otherwise return to the event loop. */
function yieldToMessages(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve));
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
