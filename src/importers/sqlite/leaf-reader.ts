import {leafPage, type LeafPages} from './leaf-pages.js';
import {NotPlain} from './not-plain.js';
import type {PageFile} from './page-file.js';
import type {RecordDecoder} from './record-decoder.js';
import {longestRecordBytes, slackBytes} from './record-shapes.js';
import {rowsPerBatch} from './table-source.js';

const leafHeadBytes = 8;
const two32 = 2 ** 32;

/** The rows of a batch, whatever their columns. */
interface Rows {
  length: number;
  readonly rowid: Float64Array;
}

/**
 * Fills batches with the rows of leaf pages.
 *
 *     ┌ head ┬ where cells begin ┬ free ┬ cell: bytes of the record, row id, record, [first overflow page] ┐
 *
 * @see https://www.sqlite.org/fileformat2.html#b_tree_pages
 */
export class LeafReader {
  /** A record up to this length is stored entirely in its cell. */
  readonly #mostLocal: number;
  readonly #leastLocal: number;
  #page = 0;
  #cell = 0;
  #lastRowid = -Infinity;
  /** Where the most recently read varint ends. */
  #varintEnd = 0;
  /** A record joined from several pages. */
  #whole = new Uint8Array(0);
  #wholeView = new DataView(this.#whole.buffer);

  constructor(
    readonly file: PageFile,
    readonly pages: LeafPages,
  ) {
    this.#mostLocal = file.usableBytes - 35;
    this.#leastLocal = Math.floor(((file.usableBytes - 12) * 32) / 255) - 23;
  }

  /** Fills a batch through the decoder. Returns whether there were rows. @throws NotPlain */
  fill(batch: Rows, decoder: RecordDecoder): boolean {
    batch.length = 0;
    while (batch.length < rowsPerBatch) {
      if (this.#page === 0) {
        this.#page = this.pages.next();
        this.#cell = 0;
      }
      if (this.#page === 0) break;
      this.#readLeaf(this.file.locate(this.#page), batch, decoder);
    }
    return batch.length > 0;
  }

  /** Reads as many cells as the batch has room for. */
  #readLeaf(page: number, batch: Rows, decoder: RecordDecoder): void {
    const bytes = this.file.window;
    const {usableBytes} = this.file;
    const cells = (bytes[page + 3] << 8) | bytes[page + 4];
    const firstCell = leafHeadBytes + 2 * cells;
    const isEmpty = cells === 0 && !this.pages.isSinglePage;
    if (bytes[page] !== leafPage || firstCell > usableBytes || isEmpty) throw new NotPlain('no leaf page');
    const end = Math.min(cells, this.#cell + rowsPerBatch - batch.length);
    const pageEnd = page + usableBytes;
    for (let cell = this.#cell; cell < end; cell++) {
      const pointer = page + leafHeadBytes + 2 * cell;
      const offset = (bytes[pointer] << 8) | bytes[pointer + 1];
      if (offset < firstCell || offset >= usableBytes) throw new NotPlain('a cell outside');
      this.#readCell(bytes, page + offset, pageEnd, batch, decoder);
    }
    this.#cell = end;
    if (end === cells) this.#page = 0;
  }

  #readCell(bytes: Uint8Array, cell: number, pageEnd: number, batch: Rows, decoder: RecordDecoder): void {
    let at = cell;
    let size = bytes[at++];
    if (size > 127) size = ((size & 127) << 7) | bytes[at++];
    if (size > 127 && bytes[at - 1] > 127) {
      size = this.#varint(bytes, cell);
      at = this.#varintEnd;
    }
    let byte = bytes[at];
    let rowid = byte & 127;
    let digits = 1;
    while (byte > 127 && digits++ < 4) {
      byte = bytes[++at];
      rowid = (rowid << 7) | (byte & 127);
    }
    if (byte > 127) {
      rowid = this.#varint(bytes, at - 3);
      at = this.#varintEnd;
    } else at++;
    if (!(rowid > this.#lastRowid)) throw new NotPlain('rows out of order');
    this.#lastRowid = rowid;
    const row = batch.length++;
    batch.rowid[row] = rowid;
    if (size > this.#mostLocal) {
      this.#wholeRecord(bytes, at, size, pageEnd);
      decoder.decode(this.#whole, this.#wholeView, 0, size, row, rowid);
    } else if (at + size > pageEnd) throw new NotPlain('a record outside its page');
    else decoder.decode(bytes, this.file.view, at, at + size, row, rowid);
  }

  /** Joins a record that continues in a chain of other pages. */
  #wholeRecord(bytes: Uint8Array, at: number, size: number, pageEnd: number): void {
    const {usableBytes, pageBytes} = this.file;
    if (!(size <= longestRecordBytes)) throw new NotPlain('a record of many megabytes');
    const whole = this.#leastLocal + ((size - this.#leastLocal) % (usableBytes - 4));
    const local = whole <= this.#mostLocal ? whole : this.#leastLocal;
    if (at + local + 4 > pageEnd) throw new NotPlain('a record outside its page');
    const record = this.#roomFor(size);
    record.set(bytes.subarray(at, at + local));
    const page = new Uint8Array(pageBytes);
    const view = new DataView(page.buffer);
    let next = this.file.view.getUint32(at + local);
    for (let done = local; done < size;) {
      this.pages.see(next);
      this.file.readPage(next, page);
      const part = Math.min(usableBytes - 4, size - done);
      record.set(page.subarray(4, 4 + part), done);
      done += part;
      next = view.getUint32(0);
    }
  }

  #roomFor(bytes: number): Uint8Array {
    if (this.#whole.length < bytes + slackBytes) {
      this.#whole = new Uint8Array(bytes * 2 + slackBytes);
      this.#wholeView = new DataView(this.#whole.buffer);
    }
    return this.#whole;
  }

  /** Reads the signed integer at a position, up to nine bytes, as the nearest double. */
  #varint(bytes: Uint8Array, start: number): number {
    let high = 0;
    let low = 0;
    for (let at = start; at < start + 8; at++) {
      const byte = bytes[at];
      high = (high << 7) | (low >>> 25);
      low = (low << 7) | (byte & 127);
      if (byte < 128) {
        this.#varintEnd = at + 1;
        return high * two32 + (low >>> 0);
      }
    }
    // The ninth byte holds eight bits of the value.
    high = (high << 8) | (low >>> 24);
    low = (low << 8) | bytes[start + 8];
    this.#varintEnd = start + 9;
    return high * two32 + (low >>> 0);
  }
}
