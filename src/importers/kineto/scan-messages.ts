import type {TraceErrorCode} from '../../core/base/errors.js';
import type {UnpackedLimit} from '../../core/trace/unpacked-limit.js';
import type {ImportProgress} from '../reading/importer.js';
import type {FileOutcome} from './read-chrome-trace.js';

/** So many batches take turns: one is written, the others are on their way. */
export const batchCount = 8;

/** What the scanning thread is started with. */
export interface ScanOrder {
  readonly path: string;
  readonly bytes: number;
  readonly compression: 'none' | 'gzip' | 'zstd';
  readonly unpackedLimit: UnpackedLimit | undefined;
  /** One number: how many batches may still be sent. The thread waits at 0, since it has no other to write to. */
  readonly credit: Int32Array<SharedArrayBuffer>;
}

/** What the scanning thread sends, in the order in which a sink is called. */
export type ScanMessage =
  /** Once, before the first events: sharing memory anew with every batch would cost more than scanning it. */
  | {readonly type: 'memory'; readonly buffer: SharedArrayBuffer}
  | {readonly type: 'metadata'; readonly key: string; readonly json: string}
  | {
      readonly type: 'events';
      /** Where the batch stands, until its credit is given back: in the buffer of the message `memory`. */
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
