/** The facts about a table that its pages do not contain; SQLite takes them from the schema. */
export interface PlainTable {
  /** The page at the top of its b-tree. */
  readonly root: number;
  /** In the order of the stored records. */
  readonly columns: readonly PlainColumn[];
}

export interface PlainColumn {
  readonly name: string;
  /** Declared `INTEGER PRIMARY KEY`: an alias of the row id, stored as null. */
  readonly isRowid: boolean;
  /** The default, as SQL, of rows written before the column was added; null for null. */
  readonly otherwise: string | null;
}

/** Returns the value of a default that is null or a whole number; undefined for any other. */
export function plainDefault(sql: string | null): number | undefined {
  if (sql === null || /^null$/i.test(sql)) return NaN;
  return /^[+-]?\d{1,15}$/.test(sql) ? Number(sql) : undefined;
}
