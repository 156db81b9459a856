import type {TraceErrorCode} from '../core/base/errors.js';
import type {KnownLine} from '../core/source/known-lines.js';
import type {MemoryLimit} from '../core/trace/memory-limit.js';
import type {UnpackedLimit} from '../core/trace/unpacked-limit.js';

/** A value of a result. Whole numbers that a double does not hold are a bigint; bytes are text, as SQL writes them. */
export type SqlCell = string | number | bigint | null;

/** The file that a process reads, with options. */
export interface ProfileSource {
  readonly path: string;
  /** The expected size and time of the file; any if absent. */
  readonly stamp?: string;
  readonly unpackedLimit?: UnpackedLimit | undefined;
  readonly memoryLimit?: MemoryLimit | undefined;
  /** The cache folder of traces; null for none. */
  readonly cache: {readonly folder: string; readonly limitBytes: number} | null;
  /** The program that wrote the cache: the digest of its file is a part of the keys. */
  readonly cacheProgram: string | null;
  /** A profile of the run that captured the graphs; none if absent. */
  readonly capture?: string | null;
  /** Lines of the profile's sidecar. */
  readonly lines?: readonly KnownLine[];
  /** The memory limit of the process in bytes; half of the machine's memory if absent. */
  readonly memoryLimitBytes?: number;
}

/** Messages to the process. It answers queries one at a time. */
export type ToSqlProcess =
  | {
      readonly kind: 'query';
      readonly source: ProfileSource;
      readonly sql: string;
      /** The most rows to send; null for all. */
      readonly limitRows: number | null;
    }
  /** Statements with one cell each. Their tables are filled once, and the cells are sent as one row. */
  | {readonly kind: 'cells'; readonly source: ProfileSource; readonly statements: readonly string[]}
  /** The sent rows were processed: more may be sent. */
  | {readonly kind: 'more'};

/** The phase of a query: reading the profile, filling tables, or running. */
export interface SqlProgress {
  readonly step: 'read' | 'fill' | 'run';
  readonly fraction: number;
}

/** The end of a query. */
export interface SqlEnd {
  /** The number of rows, as far as they were counted. */
  readonly rowCount: number;
  /** Whether all rows were counted: counting stops after some seconds. */
  readonly isCounted: boolean;
  /** The number of sent rows. */
  readonly sentRows: number;
  /** The number of texts that were too long and were cut. */
  readonly cutTexts: number;
  /** How long the query ran, without reading the profile, in ms. */
  readonly ranMs: number;
}

/** Messages from the process. */
export type FromSqlProcess =
  | ({readonly kind: 'progress'} & SqlProgress)
  | {readonly kind: 'columns'; readonly columns: readonly string[]}
  | {readonly kind: 'rows'; readonly rows: readonly (readonly SqlCell[])[]}
  | ({readonly kind: 'end'} & SqlEnd)
  | {readonly kind: 'error'; readonly code: TraceErrorCode; readonly message: string};
