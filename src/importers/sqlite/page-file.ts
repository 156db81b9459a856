import {closeSync, existsSync, fstatSync, openSync, readSync} from 'node:fs';
import type {FileHead} from '../reading/importer.js';
import {NotPlain} from './not-plain.js';
import {slackBytes} from './record-shapes.js';

/** Small enough to stay in a processor’s cache while its rows are decoded. */
const windowBytes = 1 << 18;
const leastWindowBytes = 1 << 14;
/** The most pages between two of a table at which reading through is cheaper than seeking. */
const mostPagesBetween = 8;

/**
 * The pages of a database that nobody is writing: UTF-8, without a log or journal beside it.
 *
 * Pages are numbered from 1. The memory is one window, which grows while pages are requested in the order of the file.
 *
 * @see https://www.sqlite.org/fileformat2.html#the_database_header
 */
export class PageFile {
  readonly pageBytes: number;
  /** Bytes of a page that hold content: some databases reserve bytes at the end of each page. */
  readonly usableBytes: number;
  readonly pageCount: number;
  /** The bytes that `locate` refers to. */
  readonly window: Uint8Array;
  /** Over the bytes of `window`. */
  readonly view: DataView;
  readonly #fd: number;
  #firstPage = 0;
  #pages = 0;
  #ahead = 1;

  /** @throws NotPlain */
  constructor({path, head}: FileHead) {
    this.pageBytes = pageBytesOf(head);
    this.usableBytes = this.pageBytes - head[20];
    if (!isPlainHead(head) || this.usableBytes < 480) throw new NotPlain('not a plain database file');
    if (existsSync(`${path}-journal`) || existsSync(`${path}-wal`)) throw new NotPlain('changes stand beside the file');
    this.#fd = openSync(path, 'r');
    try {
      this.pageCount = pageCountOf(head, this.pageBytes, fstatSync(this.#fd).size);
    } catch (error) {
      this.close();
      throw error;
    }
    this.window = new Uint8Array(Math.max(windowBytes, this.pageBytes) + slackBytes);
    this.view = new DataView(this.window.buffer);
  }

  /** Returns where a page begins in `window`; valid until the next call. */
  locate(page: number): number {
    const index = page - this.#firstPage;
    if (index >= 0 && index < this.#pages) return index * this.pageBytes;
    this.#fill(page);
    return 0;
  }

  /** Reads one page without changing the window. */
  readPage(page: number, target: Uint8Array): void {
    if (!this.has(page)) throw new NotPlain(`no page ${String(page)}`);
    this.#read(target, this.pageBytes, page);
  }

  has(page: number): boolean {
    return page >= 1 && page <= this.pageCount;
  }

  close(): void {
    closeSync(this.#fd);
  }

  /** Reads twice as far ahead each time while pages are consecutive, else little. */
  #fill(page: number): void {
    if (!this.has(page)) throw new NotPlain(`no page ${String(page)}`);
    const skipped = page - this.#firstPage - this.#pages;
    const isFollowing = skipped >= 0 && skipped <= mostPagesBetween;
    const most = Math.floor((this.window.length - slackBytes) / this.pageBytes);
    const least = Math.max(1, Math.floor(leastWindowBytes / this.pageBytes));
    this.#ahead = Math.min(most, isFollowing ? this.#ahead * 2 : least);
    const pages = Math.min(this.#ahead, this.pageCount - page + 1);
    // If reading fails, the window is empty.
    this.#pages = 0;
    this.#read(this.window, pages * this.pageBytes, page);
    this.#firstPage = page;
    this.#pages = pages;
  }

  #read(target: Uint8Array, bytes: number, page: number): void {
    let done = 0;
    while (done < bytes) {
      const read = readSync(this.#fd, target, done, bytes - done, (page - 1) * this.pageBytes + done);
      if (read === 0) throw new NotPlain('the file became shorter');
      done += read;
    }
  }
}

/**
 * Returns the page size: a power of two from 512 to 65,536. The last does not fit its two bytes and is written as 1.
 */
function pageBytesOf(head: Buffer): number {
  if (head.length < 100) throw new NotPlain('no header');
  const stored = head.readUInt16BE(16);
  const bytes = stored === 1 ? 65536 : stored;
  if (bytes < 512 || (bytes & (bytes - 1)) !== 0) throw new NotPlain('no page size');
  return bytes;
}

/**
 * Returns whether a header has versions of 1 (no write-ahead log), the usual payload fractions, UTF-8, and no pointer
 * maps, in which SQLite looks up where a long record continues.
 */
function isPlainHead(head: Buffer): boolean {
  const versions = head[18] === 1 && head[19] === 1;
  const fractions = head[21] === 64 && head[22] === 32 && head[23] === 32;
  const hasPointerMaps = head.readUInt32BE(52) !== 0;
  return versions && fractions && head.readUInt32BE(56) === 1 && !hasPointerMaps;
}

/**
 * Returns the page count in the header, under the conditions in which SQLite trusts it: the last writer has stored its
 * mark beside it.
 */
function pageCountOf(head: Buffer, pageBytes: number, fileBytes: number): number {
  const said = head.readUInt32BE(28);
  const isCurrent = head.readUInt32BE(24) === head.readUInt32BE(92);
  if (said === 0 || !isCurrent || said * pageBytes !== fileBytes) throw new NotPlain('not as long as it says');
  return said;
}
