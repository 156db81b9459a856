import {NotPlain} from './not-plain.js';
import type {PageFile} from './page-file.js';

/** The first byte of a page of a table: only leaves contain rows. */
const interiorPage = 0x05;
export const leafPage = 0x0d;
const interiorHeadBytes = 12;
/** SQLite's own limit of depth. */
const mostLevels = 20;

/** An interior page: child pages from left to right, the last of which is in its header. */
interface Level {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  cells: number;
  next: number;
}

/**
 * The leaf pages of a table's b-tree from the smallest row id to the largest.
 *
 * No page is returned twice, whatever the file says, so iteration always ends.
 *
 * @see https://www.sqlite.org/fileformat2.html#b_tree_pages
 */
export class LeafPages {
  /** One bit per page. */
  readonly #seen: Uint8Array;
  readonly #levels: Level[] = [];
  /** The depth of all leaves, found by descending on the left. */
  readonly #depth: number;
  #pending: number;

  constructor(
    readonly file: PageFile,
    root: number,
  ) {
    this.#seen = new Uint8Array((file.pageCount >>> 3) + 1);
    this.#depth = this.#depthBelow(root);
    this.#pending = root;
  }

  /** Returns the next leaf page; 0 if there is none. */
  next(): number {
    for (;;) {
      const page = this.#pending > 0 ? this.#pending : this.#nextChild();
      this.#pending = 0;
      if (page === 0) return 0;
      this.see(page);
      if (this.#levels.length === this.#depth) return page;
      this.#levels.push(this.#readLevel(page));
    }
  }

  /** Whether the table is a single page: only then may the page be empty. */
  get isSinglePage(): boolean {
    return this.#depth === 0;
  }

  /** Marks a page as used. @throws NotPlain if it was used before */
  see(page: number): void {
    if (!this.file.has(page)) throw new NotPlain(`no page ${String(page)}`);
    const bit = 1 << (page & 7);
    if ((this.#seen[page >>> 3] & bit) !== 0) throw new NotPlain(`page ${String(page)} is used twice`);
    this.#seen[page >>> 3] |= bit;
  }

  #nextChild(): number {
    for (;;) {
      const level = this.#levels.at(-1);
      if (level === undefined) return 0;
      if (level.next <= level.cells) return this.#child(level, level.next++);
      this.#levels.pop();
    }
  }

  #child({view, cells}: Level, at: number): number {
    const lastChild = 8;
    const place = at === cells ? lastChild : view.getUint16(interiorHeadBytes + 2 * at);
    const isOutside = place < interiorHeadBytes + 2 * cells || place + 4 > this.file.usableBytes;
    if (at < cells && isOutside) throw new NotPlain('a cell outside');
    const page = view.getUint32(place);
    if (!this.file.has(page)) throw new NotPlain(`no page ${String(page)}`);
    return page;
  }

  #readLevel(page: number): Level {
    const bytes = new Uint8Array(this.file.pageBytes);
    this.file.readPage(page, bytes);
    const view = new DataView(bytes.buffer);
    const cells = view.getUint16(3);
    if (bytes[0] !== interiorPage || cells === 0 || interiorHeadBytes + 2 * cells > this.file.usableBytes) {
      throw new NotPlain(`page ${String(page)} is not an interior page`);
    }
    return {bytes, view, cells, next: 0};
  }

  #depthBelow(root: number): number {
    const bytes = new Uint8Array(this.file.pageBytes);
    let page = root;
    for (let depth = 0; depth < mostLevels; depth++) {
      this.file.readPage(page, bytes);
      if (bytes[0] === leafPage) return depth;
      page = this.#child(this.#readLevel(page), 0);
    }
    throw new NotPlain('too deep');
  }
}
