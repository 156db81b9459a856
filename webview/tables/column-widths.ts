/** How narrow and how wide a column can be made, in CSS px. */
const [leastPx, mostPx] = [40, 4000];
/** So many columns keep their width: the latest. */
const mostKept = 200;

/** The widths of columns that a person has chosen, by table and column. */
export class ColumnWidths {
  readonly #px = new Map<string, number>();

  /** Returns the chosen width of a column in CSS px, null where none was chosen. */
  of(table: string, header: string): number | null {
    return this.#px.get(keyOf(table, header)) ?? null;
  }

  /** Keeps a width, as far as a column can have it; null gives the column the width of its texts again. */
  choose(table: string, header: string, px: number | null): void {
    const key = keyOf(table, header);
    this.#px.delete(key);
    if (px !== null) this.#px.set(key, Math.round(Math.max(leastPx, Math.min(mostPx, px))));
    for (const oldest of this.#px.keys()) {
      if (this.#px.size <= mostKept) break;
      this.#px.delete(oldest);
    }
  }

  /** All of them, to be stored. */
  get stored(): [key: string, px: number][] {
    return [...this.#px];
  }

  /** Takes over what was stored, as far as it makes sense: another version may have written it. */
  restore(stored: unknown): void {
    if (!Array.isArray(stored)) return;
    for (const entry of stored.slice(-mostKept) as unknown[]) {
      if (!Array.isArray(entry)) continue;
      const [key, px] = entry as unknown[];
      if (typeof key === 'string' && typeof px === 'number' && px >= leastPx && px <= mostPx) this.#px.set(key, px);
    }
  }
}

function keyOf(table: string, header: string): string {
  return `${table}\n${header}`;
}
