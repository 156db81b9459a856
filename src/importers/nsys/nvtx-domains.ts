import {getOrAdd} from '../../core/table/get-or-add.js';
import {integer, text} from '../sqlite/table-source.js';
import {processKeyOf} from './database/nsys-identity.js';
import type {NsysReader} from './database/nsys-reader.js';

/** The event that creates a domain carries its name. */
const domainCreate = 75;

/** A domain that has a name, and the names of its ranges by what they are called without it. */
interface Domain {
  readonly name: string;
  readonly startNs: number;
  readonly nameOf: Map<number, number>;
}

const bytesPerDomain = 400;

/** Domains of NVTX ranges: ids count per process. They are looked for once a range is of another than the default. */
export class NvtxDomains {
  #domains: Map<string, Domain> | undefined;

  constructor(readonly reader: NsysReader) {}

  /** What a range is called, as an index of a string: `domain:name`, or its name alone. */
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

/** Where an id was given twice, the domain that was created first has it. */
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
