import {getOrAdd} from '../../core/table/get-or-add.js';
import {integer, text} from '../sqlite/table-source.js';
import {processKeyOf} from './database/nsys-identity.js';
import type {NsysReader} from './database/nsys-reader.js';

/** The event that creates a domain contains its name. */
const domainCreate = 75;

/** A named domain, and the qualified names of its ranges by their plain names. */
interface Domain {
  readonly name: string;
  readonly startNs: number;
  readonly nameOf: Map<number, number>;
}

const bytesPerDomain = 400;

/**
 * Domains of NVTX ranges, whose ids are unique per process. They are read when the first range outside the default
 * domain appears.
 */
export class NvtxDomains {
  #domains: Map<string, Domain> | undefined;

  constructor(readonly reader: NsysReader) {}

  /** Returns the string index of a range's name: `domain:name`, or the name alone. */
  nameOf(processKey: number, domainId: number, plain: number): number {
    // The default domain is 0 or null, and has no name.
    return domainId > 0 || domainId < 0 ? this.#qualified(processKey, domainId, plain) : plain;
  }

  #qualified(processKey: number, domainId: number, plain: number): number {
    this.#domains ??= readDomains(this.reader);
    const domain = this.#domains.get(domainKey(processKey, domainId));
    if (!domain?.name) return plain;
    const {builder} = this.reader;
    return getOrAdd(domain.nameOf, plain, () => builder.rangeName(builder.strings.get(plain), domain.name));
  }
}

/** If an id was used twice, the domain that was created first keeps it. */
function readDomains({source, builder, strings, budget}: NsysReader): Map<string, Domain> {
  const domains = new Map<string, Domain>();
  budget.watch(() => domains.size * bytesPerDomain);
  const requests = {
    start: integer('start'),
    type: integer('eventType'),
    name: text('text'),
    processKey: processKeyOf('globalTid'),
    nameId: integer('textId'),
    domainId: integer('domainId'),
  };
  for (const {length, columns} of source.read('NVTX_EVENTS', requests)) {
    if (budget.isSpent()) break;
    const {start, type, name, processKey, nameId, domainId} = columns;
    for (let i = 0; i < length; i++) {
      if (type[i] !== domainCreate) continue;
      const key = domainKey(processKey[i], domainId[i]);
      const known = domains.get(key);
      if (known && known.startNs <= start[i]) continue;
      const index = name[i] === 0 ? strings.index(nameId[i]) : name[i];
      domains.set(key, {name: builder.strings.get(index), startNs: start[i], nameOf: new Map()});
    }
  }
  return domains;
}

const domainKey = (processKey: number, domainId: number): string => `${String(processKey)} ${String(domainId)}`;
