import type {QueryRows} from '../../src/protocol/query-messages.js';

export type RowTexts = readonly (string | null)[];

const rowsPerPage = 200;
/** Pages that are kept: some screens up and down. */
const mostPages = 50;

/** The rows of a result that were in sight, asked for by pages. */
export class RowCache {
  readonly #pages = new Map<number, readonly RowTexts[] | null>();

  constructor(
    private readonly key: number,
    private readonly ask: (rows: QueryRows) => Promise<readonly RowTexts[]>,
    private readonly onRows: () => void,
  ) {}

  /** A row, or null where it is not there yet: then it is asked for. */
  row(row: number): RowTexts | null {
    const page = Math.floor(row / rowsPerPage);
    const rows = this.#pages.get(page);
    if (rows === undefined) this.#load(page);
    return rows?.[row - page * rowsPerPage] ?? null;
  }

  /** Forgets everything: the order of rows has changed. */
  clear(): void {
    this.#pages.clear();
    this.onRows();
  }

  #load(page: number): void {
    this.#pages.set(page, null);
    const from = page * rowsPerPage;
    this.ask({key: this.key, from, to: from + rowsPerPage}).then(
      rows => {
        if (this.#pages.get(page) !== null) return;
        this.#pages.delete(page);
        this.#pages.set(page, rows);
        for (const [oldest] of this.#pages) {
          if (this.#pages.size <= mostPages) break;
          this.#pages.delete(oldest);
        }
        this.onRows();
      },
      // Another result has taken its place: this one is not shown any more.
      () => undefined,
    );
  }
}
