import type {StringTable} from '../../core/table/string-table.js';
import type {FileHead} from '../reading/importer.js';
import {BatchBuilder} from './batch-builder.js';
import {LeafPages} from './leaf-pages.js';
import {LeafReader} from './leaf-reader.js';
import {PageFile} from './page-file.js';
import type {PlainTable} from './plain-table.js';
import {RecordDecoder} from './record-decoder.js';
import {planRecord} from './record-plan.js';
import type {Batch, ColumnRequests, TableSource} from './table-source.js';
import {TextInterner} from './text-interner.js';

/**
 * Reads tables from the pages of the file, several times as fast as SQLite returns rows. SQLite provides a table's root
 * page and columns. Anything unusual throws `NotPlain`, so that SQLite reads the file instead.
 */
export class PageTableSource implements TableSource {
  readonly #file: PageFile;
  readonly #texts: TextInterner;

  /**
   * @param describe a table's root page and columns; throws NotPlain if the pages do not contain all of its rows
   * @throws NotPlain
   */
  constructor(
    file: FileHead,
    readonly describe: (table: string) => PlainTable,
    strings: StringTable,
  ) {
    this.#file = new PageFile(file);
    this.#texts = new TextInterner(strings);
  }

  *read<R extends ColumnRequests>(table: string, requests: R): Generator<Batch<R>> {
    const batch = new BatchBuilder(requests);
    const fill = this.filler(this.describe(table), [batch]);
    while (fill(0)) yield batch;
  }

  /**
   * Returns a function that fills one of several batches with the next rows of a table, and returns whether there were
   * any. All batches must have the same columns. @throws NotPlain as does the function
   */
  filler<R extends ColumnRequests>(plain: PlainTable, batches: readonly BatchBuilder<R>[]): (batch: number) => boolean {
    const decoders = batches.map(batch => new RecordDecoder(planRecord(plain, batch), batch.values, this.#texts));
    const reader = new LeafReader(this.#file, new LeafPages(this.#file, plain.root));
    return batch => reader.fill(batches[batch], decoders[batch]);
  }

  close(): void {
    this.#file.close();
  }
}
