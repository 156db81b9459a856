import type {TraceErrorCode} from '../../core/base/errors.js';
import type {UnpackedLimit} from '../../core/trace/unpacked-limit.js';
import type {ImportProgress} from '../reading/importer.js';
import type {FileOutcome} from './read-chrome-trace.js';

/** Number of batches that take turns: one is written while the others are in transit. */
export const batchCount = 8;

/** The scanning thread's start message. */
export interface ScanOrder {
  readonly path: string;
  readonly bytes: number;
  readonly compression: 'none' | 'gzip' | 'zstd';
  readonly unpackedLimit: UnpackedLimit | undefined;
  /**
   * One number: how many more batches may be sent. The thread waits at 0, because it has no other batch to write to.
   */
  readonly credit: Int32Array<SharedArrayBuffer>;
  /** Translations for the sentences of errors. */
  readonly words: Readonly<Record<string, string>>;
}

/** The scanning thread's messages, in the order in which a sink is called. */
export type ScanMessage =
  /** Sent once, before the first events: sharing memory again with every batch would cost more than scanning it. */
  | {readonly type: 'memory'; readonly buffer: SharedArrayBuffer}
  | {readonly type: 'metadata'; readonly key: string; readonly json: string}
  | {
      readonly type: 'events';
      /** The batch's offset in the buffer of the message `memory`, valid until its credit is returned. */
      readonly byteOffset: number;
      readonly length: number;
      /** Texts that are new in this batch, by number. */
      readonly texts: readonly (readonly [number: number, text: string])[];
      /** Row → the event's own text. */
      readonly whole: ReadonlyMap<number, string>;
    }
  | {readonly type: 'progress'; readonly progress: ImportProgress}
  | {readonly type: 'done'; readonly result: FileOutcome}
  | {readonly type: 'failed'; readonly code: TraceErrorCode; readonly message: string};
