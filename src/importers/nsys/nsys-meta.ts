import type {NsysDatabase} from './database/nsys-database.js';

/** The version of nsys that wrote the export, null where the file does not say (before 2022). */
export function readVersion(db: NsysDatabase): string | null {
  for (const table of ['META_DATA_EXPORT', 'EXPORT_META_DATA']) {
    if (!db.has(table, 'name', 'value')) continue;
    const rows = db.rows<[unknown]>(`select value from ${table} where name = 'EXPORT_PRODUCT_VERSION'`);
    for (const [value] of rows) if (typeof value === 'string' && value !== '') return value;
  }
  return null;
}

/** The version of the GPU's driver, null where the file does not say. */
export function readDriver(db: NsysDatabase): string | null {
  if (!db.has('TARGET_INFO_SYSTEM_ENV', 'name', 'value')) return null;
  const rows = db.rows<[unknown]>("select value from TARGET_INFO_SYSTEM_ENV where name = 'NvDriverVersion' limit 1");
  for (const [value] of rows) if (typeof value === 'string' && value !== '') return withDots(value);
  return null;
}

/** Some versions of nsys leave the dots out: 5303002 is 530.30.02, and 58160 is 581.60. */
function withDots(version: string): string {
  return version.replace(/^(\d{3})(\d{2})$/, '$1.$2').replace(/^(\d{3})(\d{2,3})(\d{2})$/, '$1.$2.$3');
}

/**
 * When the recording ended, ns in the times of the export, which count from its start; null where the file does not say.
 * A file of several sessions has a row for each.
 */
export function readRecordingEnd(db: NsysDatabase): number | null {
  if (!db.has('ANALYSIS_DETAILS', 'duration')) return null;
  let endNs = -Infinity;
  for (const [duration] of db.rows<[unknown]>('select duration from ANALYSIS_DETAILS limit 1000')) {
    if (typeof duration === 'number' && duration > 0) endNs = Math.max(endNs, duration);
  }
  return Number.isFinite(endNs) ? endNs : null;
}
