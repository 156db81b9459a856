import type {NsysDatabase} from './nsys-database.js';
import {processKeySql} from './nsys-identity.js';
import type {NsysStrings} from './nsys-strings.js';

/** ENUM_NSYS_EVENT_TYPE: marks of NVTX, and those of imported nvtxt files. */
export const markTypes: readonly number[] = [34, 65];
const domainCreateType = 75;

/**
 * Names of NVTX domains: their ids count per process, and the event that creates one carries its name, the first where
 * there are several.
 *
 * Finding them reads the whole table, which may hold millions of ranges; so it also finds out whether there are marks.
 */
export class NvtxDomains {
  readonly hasMarks: boolean;
  readonly #names = new Map<string, string>();

  constructor(db: NsysDatabase, strings: NsysStrings) {
    const column = (name: string) => db.column('NVTX_EVENTS', name, 'null');
    const sql = `select eventType, start, ${processKeySql('globalTid')}, ${column('domainId')}, ${column('text')},
      ${column('textId')} from NVTX_EVENTS where eventType in (${[domainCreateType, ...markTypes].join()})`;
    const firstNs = new Map<string, number>();
    let hasMarks = false;
    type Row = [number, number, number, number | null, unknown, number | null];
    for (const [type, start, processKey, domainId, text, textId] of db.rows<Row>(sql)) {
      if (type !== domainCreateType) {
        hasMarks = true;
        continue;
      }
      if (domainId === null) continue;
      const key = keyOf(domainId, processKey);
      if (start > (firstNs.get(key) ?? Infinity)) continue;
      firstNs.set(key, start);
      this.#names.set(key, typeof text === 'string' && text !== '' ? text : strings.text(textId));
    }
    this.hasMarks = hasMarks;
  }

  /** The string of an event's text, after the name of its domain where that is not the default one. */
  index(
    strings: NsysStrings,
    processKey: number,
    domainId: number | null,
    text: unknown,
    textId: number | null,
  ): number {
    const plain = textId === null ? (typeof text === 'string' ? text : '') : strings.text(textId);
    const domain = this.#names.get(keyOf(domainId, processKey));
    return strings.table.intern(domain ? `${domain}:${plain}` : plain);
  }
}

function keyOf(domainId: number | null, processKey: number): string {
  return `${String(processKey)} ${String(domainId ?? 0)}`;
}
