import type {NsysDatabase} from './nsys-database.js';

/** ENUM_CUDA_MEM_KIND, for files whose own is missing or empty. These are nsys's numbers, not CUPTI's. */
const usualNames = ['Pageable', 'Pinned', 'Device', 'Array', 'Managed', 'Device Static', 'Managed Static', 'Unknown'];

/** What nsys calls kinds of CUDA memory, by its number. */
export function readMemoryKinds(db: NsysDatabase): Map<unknown, string> {
  const names = new Map<unknown, string>(usualNames.map((name, kind) => [kind, name]));
  if (!db.has('ENUM_CUDA_MEM_KIND', 'id', 'label')) return names;
  for (const [id, label] of db.rows<[unknown, unknown]>('select id, label from ENUM_CUDA_MEM_KIND')) {
    if (typeof label === 'string') names.set(id, label);
  }
  return names;
}
