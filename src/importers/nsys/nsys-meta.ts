import type {NsysDatabase} from './nsys-database.js';

/** The version of nsys that wrote the export, null where the file does not say (before 2022). */
export function readVersion(db: NsysDatabase): string | null {
  for (const table of ['META_DATA_EXPORT', 'EXPORT_META_DATA']) {
    if (!db.has(table, 'name', 'value')) continue;
    const rows = db.rows<[unknown]>(`select value from ${table} where name = 'EXPORT_PRODUCT_VERSION'`);
    for (const [value] of rows) if (typeof value === 'string' && value !== '') return value;
  }
  return null;
}
