import {crc32} from 'node:zlib';
import type {DetailKind} from '../core/figures/report-details.js';
import type {MemorySnapshot} from '../core/memory-snapshot/memory-snapshot.js';
import type {Trace} from '../core/trace/trace.js';
import {changedSince, fileStamp} from '../importers/files/file-identity.js';
import {programDigest} from '../importers/cache/program-digest.js';
import {TraceCache} from '../importers/trace-cache.js';
import type {ImportOptions} from '../importers/reading/importer.js';
import {settingMemoryLimit} from '../importers/reading/memory-limit.js';
import {isMemoryFile, readMemoryFile} from '../importers/memory-of-file.js';
import {snapshotTrace} from '../importers/pickle/snapshot-trace.js';
import {openTrace} from '../importers/open-trace.js';
import {loadReportDetails} from '../importers/report-details.js';
import {withCapture} from '../importers/with-capture.js';
import {usedByAll} from './known-statements.js';
import type {FromSqlProcess, ProfileSource, SqlCell} from './messages.js';
import {neededDetails} from './needed-details.js';
import {cellOf, runQuery} from './run-query.js';
import {sqlError} from './sql-error.js';
import {TraceDatabase, type PreparedQuery} from './trace-database.js';

type Send = (message: FromSqlProcess) => Promise<void> | void;

interface Opened {
  readonly key: string;
  readonly trace: Trace;
  readonly database: TraceDatabase;
  readonly isSnapshot: boolean;
  /** Details that were read again from the file. */
  readonly read: Set<DetailKind>;
}

/** Answers queries. The profile and the tables stay in memory for the next query. */
export class QuerySession {
  #opened: Opened | null = null;

  /** Runs one query on a profile. Sends results and failures as messages. */
  async run(source: ProfileSource, sql: string, limitRows: number | null, send: Send): Promise<void> {
    await telling(send, async () => {
      const [query] = await this.#prepared(source, [sql], send);
      await send({kind: 'progress', step: 'run', fraction: 0});
      const end = await runQuery(query, limitRows ?? Infinity, send);
      await send({kind: 'end', ...end});
    });
  }

  /** Runs statements of one cell each, and sends the cells as one row; null for a statement without rows. */
  async cells(source: ProfileSource, statements: readonly string[], send: Send): Promise<void> {
    await telling(send, async () => {
      const beganMs = performance.now();
      const cells: SqlCell[] = [];
      for (const {statement} of await this.#prepared(source, statements, send)) {
        await send({kind: 'progress', step: 'run', fraction: cells.length / statements.length});
        const row = statement.get();
        cells.push(row === undefined ? null : cellOf(row[0]));
      }
      await send({kind: 'columns', columns: statements.map((_, at) => String(at))});
      await send({kind: 'rows', rows: [cells]});
      await send({
        kind: 'end',
        rowCount: 1,
        isCounted: true,
        sentRows: 1,
        cutTexts: 0,
        ranMs: performance.now() - beganMs,
      });
    });
  }

  /** Prepares statements, and fills the tables that they read. */
  async #prepared<Statements extends readonly string[]>(
    source: ProfileSource,
    statements: Statements,
    send: Send,
  ): Promise<{[At in keyof Statements]: PreparedQuery}> {
    // Reports errors of SQL before a profile is read.
    const empty = new TraceDatabase();
    const wanted = usedByAll(statements.map(sql => empty.wantedBy(sql)));
    empty.close();
    const {trace, database} = await this.#open(source, send);
    await this.#readDetails(source, neededDetails(wanted));
    database.fill(trace, {wanted}, (rows, totalRows) => {
      void send({kind: 'progress', step: 'fill', fraction: totalRows > 0 ? rows / totalRows : 1});
    });
    // If statements were prepared before the tables are filled, SQLite would compile them twice.
    return statements.map(sql => database.prepare(sql)) as {[At in keyof Statements]: PreparedQuery};
  }

  /** Reads the details that queries need from the file again, each kind once. */
  async #readDetails(
    {path, unpackedLimit, memoryLimit}: ProfileSource,
    needed: ReadonlySet<DetailKind>,
  ): Promise<void> {
    if (!this.#opened || this.#opened.isSnapshot) return;
    const {trace, database, read} = this.#opened;
    const missing = new Set([...needed].filter(kind => !read.has(kind)));
    if (missing.size === 0) return;
    const options = {...(unpackedLimit && {unpackedLimit}), memoryLimit: memoryLimit ?? settingMemoryLimit(null)};
    database.addDetails(await loadReportDetails(path, trace, missing, options));
    for (const kind of missing) read.add(kind);
  }

  async #open(source: ProfileSource, send: Send): Promise<Opened> {
    const stamp = await fileStamp(source.path);
    if (source.stamp !== undefined && source.stamp !== stamp) throw changedSince(source.path);
    const key = `${stamp} ${source.path} ${String(crc32(JSON.stringify([source.capture, source.lines ?? []])))}`;
    if (this.#opened?.key === key) return this.#opened;
    this.#opened?.database.close();
    this.#opened = null;
    const {trace, snapshot} = await readProfile(source, {
      ...(source.unpackedLimit && {unpackedLimit: source.unpackedLimit}),
      memoryLimit: source.memoryLimit ?? settingMemoryLimit(null),
      onProgress: ({bytes, totalBytes}) => {
        void send({kind: 'progress', step: 'read', fraction: totalBytes > 0 ? bytes / totalBytes : 0});
      },
    });
    const database = new TraceDatabase(source.lines, snapshot);
    this.#opened = {key, trace, database, isSnapshot: snapshot !== null, read: new Set()};
    return this.#opened;
  }
}

/** Runs a function, and reports its failure as a message. */
async function telling(send: Send, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    const {code, message} = sqlError(error);
    await send({kind: 'error', code, message});
  }
}

/** A profile, or a memory snapshot with a trace in its place. */
async function readProfile(
  source: ProfileSource,
  options: ImportOptions,
): Promise<{trace: Trace; snapshot: MemorySnapshot | null}> {
  if (!(await isMemoryFile(source.path))) return {trace: await readTrace(source, options), snapshot: null};
  const snapshot = await readMemoryFile(source.path, options);
  return {trace: snapshotTrace(snapshot), snapshot};
}

/** Returns the cached trace of the file, else reads the file; with the capture of its graphs, if one is named. */
async function readTrace(source: ProfileSource, options: ImportOptions): Promise<Trace> {
  const {path, capture = null} = source;
  if (capture === null) return readOwnTrace(source, options);
  const own = {...options, withoutCapture: true};
  const trace = await readOwnTrace(source, own);
  const captured = capture === path ? trace : await openTrace(capture, own);
  return withCapture({path, trace}, {path: capture, trace: captured}, options);
}

async function readOwnTrace({path, cache, cacheProgram}: ProfileSource, options: ImportOptions): Promise<Trace> {
  if (cache === null || cacheProgram === null) return openTrace(path, options);
  return (await new TraceCache(cache, programDigest(cacheProgram)).open(path, options)).trace;
}
