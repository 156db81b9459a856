/** How narrow and how wide a column can be made, in CSS px. */
const [leastPx, mostPx] = [40, 4000];
/** So many tables, and columns of each, keep their layout: the latest. */
const [mostTables, mostColumns] = [50, 200];

/** How a person has laid out the columns of a table; each is named by its id. */
export interface ColumnLayout {
  /** Chosen widths in CSS px. */
  readonly widths: Readonly<Record<string, number>>;
  /** All columns from left to right; empty for their usual places. */
  readonly order: readonly string[];
  readonly hidden: readonly string[];
  /** What rows are sorted by, where the page sorts them; empty for their usual order. */
  readonly sort: readonly {readonly column: string; readonly isDescending: boolean}[];
}

const usual: ColumnLayout = {widths: {}, order: [], hidden: [], sort: []};

/** The layouts of a view's tables. */
export class ColumnLayouts {
  readonly #layouts = new Map<string, ColumnLayout>();

  /** @param changed is called after each change, to store them */
  constructor(private readonly changed: () => void = () => undefined) {}

  of(table: string): ColumnLayout {
    return this.#layouts.get(table) ?? usual;
  }

  /** Keeps a column's width, as far as a column can have it; null gives it the width of its texts again. */
  resize(table: string, column: string, px: number | null): void {
    const widths = Object.entries(this.of(table).widths).filter(([other]) => other !== column);
    if (px !== null) widths.push([column, Math.round(Math.max(leastPx, Math.min(mostPx, px)))]);
    this.change(table, {widths: Object.fromEntries(widths.slice(-mostColumns))});
  }

  change(table: string, part: Partial<ColumnLayout>): void {
    this.#put(table, {...this.of(table), ...part});
    this.changed();
  }

  /** Columns are as wide, stand and are shown as usual. */
  reset(table: string): void {
    this.#layouts.delete(table);
    this.changed();
  }

  /** All of them, to be stored. */
  get stored(): readonly (readonly [table: string, layout: ColumnLayout])[] {
    return [...this.#layouts];
  }

  /** Takes over what was stored, as far as it makes sense: another version may have written it. */
  restore(stored: unknown): void {
    if (!Array.isArray(stored)) return;
    for (const entry of stored.slice(-mostTables) as unknown[]) {
      const [table, layout] = Array.isArray(entry) ? (entry as unknown[]) : [];
      if (typeof table === 'string') this.#put(table, readLayout(layout));
    }
  }

  #put(table: string, layout: ColumnLayout): void {
    this.#layouts.delete(table);
    this.#layouts.set(table, layout);
    for (const oldest of this.#layouts.keys()) {
      if (this.#layouts.size <= mostTables) break;
      this.#layouts.delete(oldest);
    }
  }
}

function readLayout(stored: unknown): ColumnLayout {
  const {widths, order, hidden, sort} = (typeof stored === 'object' && stored !== null ? stored : {}) as Partial<
    Record<keyof ColumnLayout, unknown>
  >;
  const texts = (value: unknown) =>
    Array.isArray(value)
      ? [...new Set((value as unknown[]).filter(one => typeof one === 'string'))].slice(0, mostColumns)
      : [];
  const isWidth = (px: unknown) => typeof px === 'number' && px >= leastPx && px <= mostPx;
  const entries = typeof widths === 'object' && widths !== null ? Object.entries(widths) : [];
  return {
    widths: Object.fromEntries(entries.filter(([, px]) => isWidth(px)).slice(-mostColumns)),
    order: texts(order),
    hidden: texts(hidden),
    sort: (Array.isArray(sort) ? (sort as unknown[]) : []).filter(isSort).slice(0, mostColumns),
  };
}

function isSort(key: unknown): key is ColumnLayout['sort'][number] {
  if (typeof key !== 'object' || key === null) return false;
  const {column, isDescending} = key as Partial<Record<string, unknown>>;
  return typeof column === 'string' && typeof isDescending === 'boolean';
}
