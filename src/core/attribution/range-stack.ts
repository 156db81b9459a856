import {template} from '../base/say.js';
import {namesThat} from '../trace/names-that.js';
import {rangeNameOf} from '../trace/nvtx-domains.js';
import {kindIndex, kindMask, sliceKinds, taggedRangeKinds, type SliceKind, type SliceKindSet} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';
import type {NameFold} from './name-fold.js';
import type {RangeChoice} from './ranges.js';

/** The choice of ranges for figures by range, and of their names, as it is selected and sent. */
export interface RangeStack {
  /** Absent: ranges that the user named. */
  readonly kinds?: readonly SliceKind[];
  /** Only this NVTX domain, '' for the default one; absent: all domains. */
  readonly domain?: string;
  /** Names of operators and modules that also count as ranges. */
  readonly operators?: readonly string[];
  /** Absent: every name is a row. */
  readonly fold?: NameFold;
}

/** The kinds of slices that can form a stack, and their labels. */
export const stackKindTexts = {
  user_annotation: 'record_function',
  nvtx_pushpop: 'NVTX push/pop',
  nvtx_startend: 'NVTX start/end',
  cpu_op: 'operators',
  module: 'modules',
  python_function: template('Python frames'),
} as const satisfies Partial<Record<SliceKind, string>>;
export type StackKind = keyof typeof stackKindTexts;
export const stackKinds = Object.keys(stackKindTexts) as readonly StackKind[];

/** Converts a stack to the choice that attribution takes. */
export function rangeChoiceOf({
  kinds,
  domain,
  operators,
}: {
  readonly kinds?: Iterable<SliceKind>;
  readonly domain?: string;
  readonly operators?: Iterable<string>;
}): RangeChoice {
  return {
    kinds: kinds === undefined ? taggedRangeKinds : new Set(kinds),
    domain,
    ...(operators !== undefined && {operators: new Set(operators)}),
  };
}

/**
 * Returns the choice for the title of a figure: "NVTX push/pop, operators; domain x; names folded". "" for the usual
 * one.
 */
export function stackText({kinds, domain, fold}: RangeStack): string {
  const parts = [
    ...(kinds === undefined || isUsual(new Set(kinds)) ? [] : [kindsText(kinds)]),
    ...(domain === undefined ? [] : [domain === '' ? 'default domain' : `domain ${domain}`]),
    ...(fold === undefined ? [] : ['names folded']),
  ];
  return parts.join('; ');
}

function isUsual(kinds: SliceKindSet): boolean {
  return kinds.size === taggedRangeKinds.size && [...kinds].every(kind => taggedRangeKinds.has(kind));
}

function kindsText(kinds: readonly SliceKind[]): string {
  const texts = stackKinds.filter(kind => kinds.includes(kind)).map(kind => stackKindTexts[kind]);
  return texts.length === 0 ? 'no ranges' : texts.join(', ');
}

/** The choices of stacks in a trace: the kinds it has slices of, and its NVTX domains, '' for the default one. */
export interface StackChoices {
  readonly kinds: readonly StackKind[];
  readonly domains: readonly string[];
}

/** Returns the kinds and domains of a trace, domains in the order of their first range. */
export function stackChoices(trace: Trace): StackChoices {
  const {kind, length} = trace.slices;
  const has = new Uint8Array(sliceKinds.length);
  const isNvtx = kindMask(new Set<SliceKind>(['nvtx_pushpop', 'nvtx_startend']));
  const domains = new Set<string>();
  // Each name is inspected once.
  const noteDomain = namesThat(trace, (_, name) => {
    domains.add(rangeNameOf(trace, name).domain);
    return true;
  });
  for (let row = 0; row < length; row++) {
    has[kind[row]] = 1;
    if (isNvtx[kind[row]] === 1) noteDomain(row);
  }
  return {kinds: stackKinds.filter(one => has[kindIndex[one]] === 1), domains: [...domains]};
}
