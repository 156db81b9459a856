import type {NsysDatabase} from './nsys-database.js';

/** ENUM_CUDA_MEM_KIND, for files without a usable one. These are nsys's numbers, not CUPTI's. */
const usualNames = ['Pageable', 'Pinned', 'Device', 'Array', 'Managed', 'Device Static', 'Managed Static', 'Unknown'];

/** Returns nsys's names of the kinds of CUDA memory, by number. */
export function readMemoryKinds(db: NsysDatabase): Map<unknown, string> {
  const names = new Map<unknown, string>(usualNames.map((name, kind) => [kind, name]));
  if (!db.has('ENUM_CUDA_MEM_KIND', 'id', 'label')) return names;
  for (const [id, label] of db.rows<[unknown, unknown]>('select id, label from ENUM_CUDA_MEM_KIND')) {
    if (typeof label === 'string') names.set(id, label);
  }
  return names;
}
