import type {TraceErrorCode} from '../core/base/errors.js';
import type {KnownLine} from '../core/source/known-lines.js';
import type {MemoryLimit} from '../core/trace/memory-limit.js';
import type {UnpackedLimit} from '../core/trace/unpacked-limit.js';

/** A value of a result. Whole numbers that a double does not hold are a bigint; bytes are text, as SQL writes them. */
export type SqlCell = string | number | bigint | null;

/** The file that a process is to read, and how. */
export interface ProfileSource {
  readonly path: string;
  /** Size and time of the file that is meant; any where absent. */
  readonly stamp?: string;
  readonly unpackedLimit?: UnpackedLimit | undefined;
  readonly memoryLimit?: MemoryLimit | undefined;
  /** Where traces that were opened before are kept, null for nowhere. */
  readonly cache: {readonly folder: string; readonly limitBytes: number} | null;
  /** The program that kept them: its file's digest is a part of their keys. */
  readonly cacheProgram: string | null;
  /** A profile that shows how the graphs of this one were captured; none where absent. */
  readonly capture?: string | null;
  /** Lines that were noted beside the profile. */
  readonly lines?: readonly KnownLine[];
  /** What the process may take of memory, bytes; a half of the machine's where absent. */
  readonly memoryLimitBytes?: number;
}

/** What a process is told. It answers queries one at a time. */
export type ToSqlProcess =
  | {
      readonly kind: 'query';
      readonly source: ProfileSource;
      readonly sql: string;
      /** How many rows to send; null for all. */
      readonly limitRows: number | null;
    }
  /** Statements that answer with one cell each: their tables are filled once, and the cells come as one row. */
  | {readonly kind: 'cells'; readonly source: ProfileSource; readonly statements: readonly string[]}
  /** The rows that were sent have been taken: more may come. */
  | {readonly kind: 'more'};

/** How far a query has come: reading the profile, putting it into tables, or running. */
export interface SqlProgress {
  readonly step: 'read' | 'fill' | 'run';
  readonly fraction: number;
}

/** How a query ended. */
export interface SqlEnd {
  /** How many rows there are, as far as they were counted. */
  readonly rowCount: number;
  /** Whether that is all of them: counting ends after some seconds. */
  readonly isCounted: boolean;
  /** How many rows were sent. */
  readonly sentRows: number;
  /** How many texts were too long to send, and were cut. */
  readonly cutTexts: number;
  /** How long the query ran, without reading the profile, ms. */
  readonly ranMs: number;
}

/** What a process tells. */
export type FromSqlProcess =
  | ({readonly kind: 'progress'} & SqlProgress)
  | {readonly kind: 'columns'; readonly columns: readonly string[]}
  | {readonly kind: 'rows'; readonly rows: readonly (readonly SqlCell[])[]}
  | ({readonly kind: 'end'} & SqlEnd)
  | {readonly kind: 'error'; readonly code: TraceErrorCode; readonly message: string};
