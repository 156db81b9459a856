import type {MessagePort} from 'node:worker_threads';
import type {FileHead} from '../reading/importer.js';
import type {PlainTable} from './plain-table.js';
import type {ColumnRequests} from './table-source.js';

/** The start data of the thread that reads pages. */
export interface PageThreadStart {
  readonly file: FileHead;
  readonly port: MessagePort;
}

/** A table to be read into a `BatchRing`; tables are read one after the other. */
export interface PageOrder {
  readonly plain: PlainTable;
  readonly requests: ColumnRequests;
  readonly memory: SharedArrayBuffer;
}

/** Sent before the batch or the failure that it belongs to. */
export type PageMessage =
  /** New texts. A number in a text column is the position among all texts sent so far, from 1. */
  {readonly type: 'texts'; readonly texts: readonly string[]} | {readonly type: 'failed'; readonly message: string};
