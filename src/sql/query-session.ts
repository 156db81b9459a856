import {crc32} from 'node:zlib';
import type {Trace} from '../core/trace/trace.js';
import {changedSince, fileStamp} from '../importers/cache/file-identity.js';
import {programDigest} from '../importers/cache/program-digest.js';
import {TraceCache} from '../importers/cache/trace-cache.js';
import type {ImportOptions} from '../importers/importer.js';
import {settingMemoryLimit} from '../importers/memory-limit.js';
import {openTrace} from '../importers/open-trace.js';
import type {FromSqlProcess, ProfileSource} from './messages.js';
import {runQuery} from './run-query.js';
import {sqlError} from './sql-error.js';
import {TraceDatabase} from './trace-database.js';

type Send = (message: FromSqlProcess) => Promise<void> | void;

interface Opened {
  readonly key: string;
  readonly trace: Trace;
  readonly database: TraceDatabase;
}

/** Answers queries; the profile and the tables of the last one stay for the next. */
export class QuerySession {
  #opened: Opened | null = null;

  /** Runs one query on a profile; everything is told by messages, failures too. */
  async run(source: ProfileSource, sql: string, limitRows: number | null, send: Send): Promise<void> {
    try {
      // What SQLite does not understand is told before a profile is read.
      const empty = new TraceDatabase();
      empty.prepare(sql);
      empty.close();
      const {trace, database} = await this.#open(source, send);
      const query = database.prepare(sql);
      const fraction = (rows: number, totalRows: number) => (totalRows > 0 ? rows / totalRows : 1);
      database.fill(trace, query, (rows, totalRows) => {
        void send({kind: 'progress', step: 'fill', fraction: fraction(rows, totalRows)});
      });
      await send({kind: 'progress', step: 'run', fraction: 0});
      const end = await runQuery(query, limitRows ?? Infinity, send);
      await send({kind: 'end', ...end});
    } catch (error) {
      const {code, message} = sqlError(error);
      await send({kind: 'error', code, message});
    }
  }

  async #open(source: ProfileSource, send: Send): Promise<Opened> {
    const stamp = await fileStamp(source.path);
    if (source.stamp !== undefined && source.stamp !== stamp) throw changedSince(source.path);
    const key = `${stamp} ${source.path} ${String(crc32(JSON.stringify(source.lines ?? [])))}`;
    if (this.#opened?.key === key) return this.#opened;
    this.#opened?.database.close();
    this.#opened = null;
    const trace = await readTrace(source, {
      ...(source.unpackedLimit && {unpackedLimit: source.unpackedLimit}),
      memoryLimit: source.memoryLimit ?? settingMemoryLimit(null),
      onProgress: ({bytes, totalBytes}) => {
        void send({kind: 'progress', step: 'read', fraction: totalBytes > 0 ? bytes / totalBytes : 0});
      },
    });
    this.#opened = {key, trace, database: new TraceDatabase(source.lines)};
    return this.#opened;
  }
}

/** The trace that was kept of the file where there is one, else the file's. */
async function readTrace({path, cache, cacheProgram}: ProfileSource, options: ImportOptions): Promise<Trace> {
  if (cache === null || cacheProgram === null) return openTrace(path, options);
  return (await new TraceCache(cache, programDigest(cacheProgram)).open(path, options)).trace;
}
