import type {Trace} from './trace.js';

/** A range's name, split into domain and text. */
export interface RangeName {
  /** Empty for NVTX's default domain, and for ranges that are not NVTX ranges. */
  readonly domain: string;
  readonly text: string;
}

/** Splits the name at an index of the string table: ranges of a named domain are called `domain:text`. */
export function rangeNameOf({strings, domainOfName}: Trace, name: number): RangeName {
  const whole = strings.get(name);
  const domain = domainOfName.get(name);
  return domain === undefined ? {domain: '', text: whole} : {domain, text: whole.slice(domain.length + 1)};
}

/** Returns the named NVTX domains of a trace that have ranges, in the order of their first name. */
export function domainsOf({domainOfName}: Trace): string[] {
  return [...new Set(domainOfName.values())];
}
