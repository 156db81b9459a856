/** Rows that are asked for at once. */
export const pageRows = 200;
/** Pages that are kept, some screens up and down: scrolling back asks nothing again. */
const mostPages = 50;

/** The rows of a long table that were in sight, asked for by pages. */
export class RowCache<Row> {
  /** A page that has been asked for is null. */
  #pages = new Map<number, readonly Row[] | null>();

  /**
   * @param ask gives rows `from` to `to`, exclusive; fewer at the end
   * @param onRows called when rows have come, or are others
   * @param onError called when rows could not be had: they are not asked for again
   */
  constructor(
    private readonly ask: (from: number, to: number) => Promise<readonly Row[]>,
    private readonly onRows: () => void,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** A row, or null where it is not there yet: then it is asked for. */
  row(row: number): Row | null {
    const page = Math.floor(row / pageRows);
    const rows = this.#pages.get(page);
    if (rows === undefined) this.#load(page);
    return rows?.[row - page * pageRows] ?? null;
  }

  /** Puts in the first page, which somebody has already. */
  begin(rows: readonly Row[]): void {
    this.#pages.set(0, rows);
  }

  /** Forgets everything: the order of rows has changed. */
  clear(): void {
    // What is under way is of the order before, and comes into the pages before.
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
