import type {Trace} from './trace.js';

/** A range's name in its parts. */
export interface RangeName {
  /** The empty string for NVTX's default domain, and for ranges that are not NVTX's. */
  readonly domain: string;
  readonly text: string;
}

/** The parts of the name at an index of the string table: ranges of a named domain are called `domain:text`. */
export function rangeNameOf({strings, domainOfName}: Trace, name: number): RangeName {
  const whole = strings.get(name);
  const domain = domainOfName.get(name);
  return domain === undefined ? {domain: '', text: whole} : {domain, text: whole.slice(domain.length + 1)};
}

/** The named NVTX domains of a trace that have ranges, in the order of their first. */
export function domainsOf({domainOfName}: Trace): string[] {
  return [...new Set(domainOfName.values())];
}
