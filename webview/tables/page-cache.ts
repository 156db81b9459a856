import type {PageRow, TablePage} from '../../src/core/tables/table-page.js';

/** Rows that are asked for at once. */
const pageRows = 200;
/** Pages that are kept: scrolling back asks nothing again. */
const mostPages = 50;

type AskPage = (firstRow: number, count: number) => Promise<TablePage>;

/** The rows of one table, asked for page by page as they come into sight. */
export class PageCache {
  readonly #pages = new Map<number, TablePage | null>();

  /**
   * @param onRows called when rows have come
   * @param onError called when rows could not be had
   */
  constructor(
    private readonly ask: AskPage,
    private readonly onRows: () => void,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** The first page, which says what the table is. */
  async start(): Promise<TablePage> {
    const page = await this.ask(0, pageRows);
    this.#pages.set(0, page);
    return page;
  }

  /** A row that is there; null for one that has been asked for. */
  row(row: number): PageRow | null {
    const at = Math.floor(row / pageRows);
    const page = this.#pages.get(at);
    if (page === undefined) this.#fetch(at);
    return page?.rows[row - at * pageRows] ?? null;
  }

  #fetch(at: number): void {
    this.#pages.set(at, null);
    for (const oldest of this.#pages.keys())
      if (this.#pages.size > mostPages && oldest !== at) this.#pages.delete(oldest);
    this.ask(at * pageRows, pageRows).then(
      page => {
        this.#pages.set(at, page);
        this.onRows();
      },
      (error: unknown) => {
        this.onError(error);
      },
    );
  }
}
