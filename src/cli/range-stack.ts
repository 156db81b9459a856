import type {ParseArgsOptionsConfig} from 'node:util';
import {stackText, type RangeStack} from '../core/attribution/range-stack.js';
import {TraceError} from '../core/base/errors.js';
import {foldName} from '../core/names/operator-name.js';
import {rangeRows} from '../core/figures/range-rows.js';
import {domainsOf} from '../core/trace/nvtx-domains.js';
import {taggedRangeKinds, type SliceKind} from '../core/trace/slices.js';
import type {Trace} from '../core/trace/trace.js';
import {UsageError} from './command.js';

/** The options that choose what counts as a range, and how ranges are named. */
export const stackOptions = {
  kinds: {type: 'string'},
  domain: {type: 'string'},
  fold: {type: 'boolean'},
  'fold-layers': {type: 'boolean'},
  unfold: {type: 'string'},
} as const satisfies ParseArgsOptionsConfig;

/** Kinds of ranges that a person named: those that are listed alone make the stack, all of them where none is. */
const taggedKinds = {
  pushpop: ['nvtx_pushpop'],
  startend: ['nvtx_startend'],
  record_function: ['user_annotation'],
} as const satisfies Readonly<Record<string, readonly SliceKind[]>>;
const addedKinds = {
  op: ['cpu_op'],
  module: ['module'],
  python: ['python_function', 'module'],
} as const satisfies Readonly<Record<string, readonly SliceKind[]>>;
const kindsByWord: Readonly<Record<string, readonly SliceKind[]>> = {...taggedKinds, ...addedKinds};

export const stackUsage = `[--kinds ${Object.keys(kindsByWord).join(',')}] [--domain NAME]
      [--fold] [--fold-layers] [--unfold NAME]`;

/** Returns the choice of the options; empty without any. @throws UsageError */
export function stackOf(options: Readonly<Record<string, string | boolean | undefined>>): RangeStack {
  const {kinds, domain, unfold} = options;
  const layers = options['fold-layers'] === true;
  const isFolded = layers || options['fold'] === true;
  if (typeof unfold === 'string' && !isFolded) throw new UsageError('--unfold goes with --fold or --fold-layers.');
  return {
    ...(typeof kinds === 'string' && {kinds: kindsOf(kinds)}),
    ...(typeof domain === 'string' && {domain}),
    ...(isFolded && {fold: {unfolded: typeof unfold === 'string' ? [foldName(unfold)] : [], layers}}),
  };
}

/** Whether the options choose anything. */
export function isStackChosen(stack: RangeStack): boolean {
  return Object.keys(stack).length > 0;
}

/** Returns the addition to a title: " (NVTX push/pop; domain x)", or "" for the usual ranges. */
export function stackTitle(stack: RangeStack): string {
  const text = stackText(stack);
  return text === '' ? '' : ` (${text})`;
}

/**
 * Refuses a domain without ranges in the profile, and a name that no other name is folded into.
 *
 * @throws TraceError `selection/no-match`
 */
export function requireStackOf(trace: Trace, stack: RangeStack): void {
  const {domain, fold} = stack;
  const domains = domainsOf(trace);
  if (domain !== undefined && domain !== '' && !domains.includes(domain)) {
    const has = domains.length === 0 ? 'no named ones' : domains.join(', ');
    throw new TraceError('selection/no-match', `This profile has no NVTX domain "${domain}"; it has ${has}.`);
  }
  if (!fold || fold.unfolded.length === 0) return;
  const rows = rangeRows(trace, 'name', {...stack, fold: {...fold, unfolded: []}});
  for (const name of fold.unfolded) {
    if (rows.some(row => row.name === name)) continue;
    throw new TraceError('selection/no-match', `With --fold this profile has no range "${name}" to unfold.`);
  }
}

/** @throws UsageError */
function kindsOf(text: string): SliceKind[] {
  const words = text.split(',');
  for (const word of words) {
    if (!Object.hasOwn(kindsByWord, word))
      throw new UsageError(
        `--kinds takes ${Object.keys(addedKinds).join(', ')}; not "${word}". Of tagged ranges it takes ${Object.keys(taggedKinds).join(', ')}.`,
      );
  }
  const isTaggedNamed = words.some(word => Object.hasOwn(taggedKinds, word));
  return [...new Set([...(isTaggedNamed ? [] : taggedRangeKinds), ...words.flatMap(word => kindsByWord[word] ?? [])])];
}
