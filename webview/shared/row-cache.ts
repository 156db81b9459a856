/** Number of rows per request. */
export const pageRows = 200;
/** Number of cached pages: some screens up and down, so that scrolling back needs no request. */
const mostPages = 50;

/** Caches the rows of a long table that were visible, and requests them by pages. */
export class RowCache<Row> {
  /** Null for a page that has been requested. */
  #pages = new Map<number, readonly Row[] | null>();

  /**
   * @param ask returns rows `from` to `to`, exclusive; fewer at the end
   * @param onRows is called when rows have arrived or changed
   * @param onError is called when a request failed: it is not repeated
   */
  constructor(
    private readonly ask: (from: number, to: number) => Promise<readonly Row[]>,
    private readonly onRows: () => void,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** Returns a row; if it has not arrived, requests it and returns null. */
  row(row: number): Row | null {
    const page = Math.floor(row / pageRows);
    const rows = this.#pages.get(page);
    if (rows === undefined) this.#load(page);
    return rows?.[row - page * pageRows] ?? null;
  }

  /** Sets the first page, which is known already. */
  begin(rows: readonly Row[]): void {
    this.#pages.set(0, rows);
  }

  /** Forgets all rows: their order has changed. */
  clear(): void {
    // Pending answers have the order before; they go into the old map.
    this.#pages = new Map();
    this.onRows();
  }

  #load(page: number): void {
    const pages = this.#pages;
    pages.set(page, null);
    this.ask(page * pageRows, (page + 1) * pageRows).then(
      rows => {
        pages.delete(page);
        pages.set(page, rows);
        for (const oldest of pages.keys()) {
          if (pages.size <= mostPages) break;
          pages.delete(oldest);
        }
        if (pages === this.#pages) this.onRows();
      },
      (error: unknown) => {
        if (pages === this.#pages) this.onError(error);
      },
    );
  }
}
