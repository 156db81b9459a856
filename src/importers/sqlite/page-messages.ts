import type {MessagePort} from 'node:worker_threads';
import type {FileHead} from '../reading/importer.js';
import type {PlainTable} from './plain-table.js';
import type {ColumnRequests} from './table-source.js';

/** What the thread that reads pages is started with. */
export interface PageThreadStart {
  readonly file: FileHead;
  readonly port: MessagePort;
}

/** A table to be read into a `BatchRing`: one after the other. */
export interface PageOrder {
  readonly plain: PlainTable;
  readonly requests: ColumnRequests;
  readonly memory: SharedArrayBuffer;
}

/** Sent before the batch, or the failure, that it is about. */
export type PageMessage =
  /** New texts: numbers in columns of texts count all that were sent, from 1. */
  {readonly type: 'texts'; readonly texts: readonly string[]} | {readonly type: 'failed'; readonly message: string};
