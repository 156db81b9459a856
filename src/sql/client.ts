import {remoteError, TraceError} from '../core/base/errors.js';
import {forkProgram, type ForkedProgram} from '../importers/watched/fork-program.js';
import {endSignal, outOfMemorySignal} from '../importers/watched/signals.js';
import type {FromSqlProcess, ProfileSource, SqlCell, SqlEnd, SqlProgress, ToSqlProcess} from './messages.js';

/** Limits and callbacks of a running query. */
export interface QueryOptions {
  readonly signal?: AbortSignal;
  /** The most rows to return; all if absent. */
  readonly limitRows?: number;
  readonly onProgress?: (progress: SqlProgress) => void;
  /** How long statements may run after their tables are filled, in ms; no limit if absent. */
  readonly limitMs?: number;
  readonly onColumns: (columns: readonly string[]) => void;
  /** Receives the next rows. More are requested when the returned promise has resolved. */
  readonly onRows: (rows: readonly (readonly SqlCell[])[]) => void | Promise<void>;
}

/**
 * The client of the SQL process, which reads a profile and answers queries, one at a time.
 *
 * The process starts with the first query and stays, so that the next query need not read the profile again. A cancel
 * kills the process, because better-sqlite3 has no interrupt, and a thread would not end before its query.
 */
export class SqlClient {
  #program: ForkedProgram | null = null;

  /** @param programPath the bundle of the process */
  constructor(private readonly programPath: string) {}

  /** Whether the process runs; it then has the profile of the last query in memory. */
  get isRunning(): boolean {
    return this.#program !== null;
  }

  /**
   * Runs one read-only statement.
   *
   * @throws TraceError `sql/not-allowed`, `sql/error`, `sql/cancelled`, `sql/out-of-memory`, `sql/failed`; `file/…` and
   * `import/…` if the profile cannot be read
   */
  async query(source: ProfileSource, sql: string, options: QueryOptions): Promise<SqlEnd> {
    const {limitRows = null} = options;
    return this.#ask({kind: 'query', source, sql, limitRows}, options);
  }

  /**
   * Returns the single cell of each of several read-only statements; null for a statement without rows.
   *
   * @throws TraceError as `query` does
   */
  async cells(
    source: ProfileSource,
    statements: readonly string[],
    options: Pick<QueryOptions, 'signal' | 'onProgress' | 'limitMs'> = {},
  ): Promise<readonly SqlCell[]> {
    let cells: readonly SqlCell[] = [];
    const onRows = (rows: readonly (readonly SqlCell[])[]) => {
      cells = rows[0];
    };
    await this.#ask({kind: 'cells', source, statements}, {...options, onColumns: () => undefined, onRows});
    return cells;
  }

  async #ask(question: ToSqlProcess, options: QueryOptions): Promise<SqlEnd> {
    const {signal} = options;
    if (signal?.aborted) throw cancelled();
    const program = (this.#program ??= this.#start());
    const stop = () => {
      this.dispose();
    };
    signal?.addEventListener('abort', stop, {once: true});
    const limit = new RunLimit(options.limitMs ?? null, stop);
    const onProgress = (progress: SqlProgress) => {
      if (progress.step === 'run') limit.begin();
      options.onProgress?.(progress);
    };
    try {
      return await answerOf(program, question, {...options, onProgress});
    } catch (error) {
      if (limit.isOver) throw limit.error();
      // If showing rows failed, the query still waits to send more.
      if (!(error instanceof TraceError)) this.dispose();
      throw signal?.aborted ? cancelled() : error;
    } finally {
      limit.end();
      signal?.removeEventListener('abort', stop);
    }
  }

  /** Ends the process, even if it is busy. */
  dispose(): void {
    this.#program?.child.kill(endSignal);
    this.#program = null;
  }

  #start(): ForkedProgram {
    const program = forkProgram(this.programPath);
    program.child.once('exit', () => {
      if (this.#program === program) this.#program = null;
    });
    return program;
  }
}

/** Limits the time of statements. Reading the profile before does not count. */
class RunLimit {
  #timer: NodeJS.Timeout | null = null;
  isOver = false;

  constructor(
    private readonly limitMs: number | null,
    private readonly stop: () => void,
  ) {}

  begin(): void {
    if (this.limitMs === null || this.#timer) return;
    this.#timer = setTimeout(() => {
      this.isOver = true;
      this.stop();
    }, this.limitMs);
  }

  end(): void {
    if (this.#timer) clearTimeout(this.#timer);
  }

  error(): TraceError {
    return new TraceError('sql/error', `it ran for more than ${String((this.limitMs ?? 0) / 1000)} s and was ended.`);
  }
}

function answerOf({child, said}: ForkedProgram, question: ToSqlProcess, options: QueryOptions): Promise<SqlEnd> {
  return new Promise((resolve, reject) => {
    const finish = () => {
      child.off('message', hear).off('close', lose).off('error', reject);
    };
    const lose = (_: number | null, signal: NodeJS.Signals | null) => {
      finish();
      reject(lost(signal, said()));
    };
    const hear = (raw: unknown) => {
      const message = raw as FromSqlProcess;
      if (message.kind === 'end' || message.kind === 'error') finish();
      answer(message);
    };
    const answer = (message: FromSqlProcess) => {
      switch (message.kind) {
        case 'progress':
          options.onProgress?.(message);
          return;
        case 'columns':
          options.onColumns(message.columns);
          return;
        case 'rows':
          Promise.resolve(options.onRows(message.rows)).then(() => {
            if (child.connected) child.send({kind: 'more'} satisfies ToSqlProcess);
          }, reject);
          return;
        case 'end':
          resolve(message);
          return;
        case 'error':
          reject(new TraceError(message.code, message.message));
      }
    };
    // After "close", all of its output has arrived.
    child.on('message', hear).on('close', lose).on('error', reject);
    child.send(question);
  });
}

function lost(signal: NodeJS.Signals | null, said: string): TraceError {
  const cause = said === '' ? undefined : {cause: remoteError('The process that runs queries has stopped.', said)};
  return signal === outOfMemorySignal
    ? new TraceError(
        'sql/out-of-memory',
        'The query needs more memory than there is for it: choose fewer rows or columns.',
        cause,
      )
    : new TraceError('sql/failed', 'The process that runs queries has stopped.', cause);
}

function cancelled(): TraceError {
  return new TraceError('sql/cancelled', 'The query was cancelled.');
}
