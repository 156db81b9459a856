/** The least and greatest width of a column, in CSS px. */
const [leastPx, mostPx] = [40, 4000];
/** The layout is kept of this many tables, and of this many columns in each; the latest count. */
const [mostTables, mostColumns] = [50, 200];

/** The user's layout of a table's columns; each column is named by its id. */
export interface ColumnLayout {
  /** Chosen widths in CSS px. */
  readonly widths: Readonly<Record<string, number>>;
  /** All columns from left to right; empty for the default order. */
  readonly order: readonly string[];
  readonly hidden: readonly string[];
  /** The sort keys, if the page sorts the rows; empty for the default order. */
  readonly sort: readonly {readonly column: string; readonly isDescending: boolean}[];
}

const usual: ColumnLayout = {widths: {}, order: [], hidden: [], sort: []};

/** The layouts of a view's tables. */
export class ColumnLayouts {
  readonly #layouts = new Map<string, ColumnLayout>();

  /** @param changed is called after each change, to store the layouts */
  constructor(private readonly changed: () => void = () => undefined) {}

  of(table: string): ColumnLayout {
    return this.#layouts.get(table) ?? usual;
  }

  /** Stores a column's width, within its limits; null restores the width of its texts. */
  resize(table: string, column: string, px: number | null): void {
    const widths = Object.entries(this.of(table).widths).filter(([other]) => other !== column);
    if (px !== null) widths.push([column, Math.round(Math.max(leastPx, Math.min(mostPx, px)))]);
    this.change(table, {widths: Object.fromEntries(widths.slice(-mostColumns))});
  }

  change(table: string, part: Partial<ColumnLayout>): void {
    this.#put(table, {...this.of(table), ...part});
    this.changed();
  }

  /** Restores the columns' default widths, order and visibility. */
  reset(table: string): void {
    this.#layouts.delete(table);
    this.changed();
  }

  /** All layouts, to be stored. */
  get stored(): readonly (readonly [table: string, layout: ColumnLayout])[] {
    return [...this.#layouts];
  }

  /** Restores the valid part of stored layouts, which another version may have written. */
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
