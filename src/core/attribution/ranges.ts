import {derived, derivedKey} from '../trace/derived.js';
import {kindIndex, kindMask, taggedRangeKinds, type SliceKind, type SliceKindSet} from '../trace/slices.js';
import {rowsIn} from '../table/search.js';
import {namesThat} from '../trace/names-that.js';
import type {Trace} from '../trace/trace.js';
import {moduleCalls} from './module-calls.js';
import {rowsOfKinds} from './rows-of-kinds.js';

/** The slices of a trace that act as ranges, in the order of the slices table. */
export interface Ranges {
  /** Range → row of the slices table, ascending. */
  readonly slice: Int32Array;
  /**
   * Range → the innermost range around it on its thread, -1 for none: the shortest, of equal ones the one that begins
   * last. Start/end ranges have no parent and are no parents.
   */
  readonly parent: Int32Array;
}

/** The slices to treat as ranges. */
export interface RangeChoice {
  readonly kinds: SliceKindSet;
  /**
   * An NVTX domain, by name ('' for the default one): NVTX ranges of other domains are left out. If absent, all domains
   * form one stack, as in Nsight.
   */
  readonly domain?: string | undefined;
  /** Names of operators and modules that also count as ranges, whatever the kinds: the ones that the runner made. */
  readonly operators?: ReadonlySet<string> | undefined;
  /** Whether calls of modules also count as ranges, whatever the kinds and the domain. */
  readonly modules?: boolean | undefined;
}

/**
 * Returns the rows of the chosen slices, ascending. Callers must not change them: the rows of the usual choice are
 * cached.
 */
export function rowsOfRanges(trace: Trace, choice: RangeChoice): Int32Array {
  const rows = rowsOfDomain(trace, choice);
  return choice.modules === true ? withModules(trace, rows) : rows;
}

function rowsOfDomain(trace: Trace, {kinds, domain, operators}: RangeChoice): Int32Array {
  const rows = withoutSecondModules(trace, kinds, rowsOfChoice(trace, kinds, operators));
  if (domain === undefined) return rows;
  const {kind, name} = trace.slices;
  const isNvtx = kindMask(nvtxKinds);
  return rows.filter(row => isNvtx[kind[row]] === 0 || (trace.domainOfName.get(name[row]) ?? '') === domain);
}

/** Returns the rows with the calls of modules added, ascending. */
function withModules(trace: Trace, rows: Int32Array): Int32Array {
  const isThere = rowsIn(rows);
  const calls = moduleCalls(trace).filter(row => !isThere(row));
  const all = new Int32Array(rows.length + calls.length);
  all.set(rows);
  all.set(calls, rows.length);
  return all.sort();
}

/** Keeps one range of a module's call that two recorders recorded. */
function withoutSecondModules(trace: Trace, kinds: SliceKindSet, rows: Int32Array): Int32Array {
  if (!kinds.has('module')) return rows;
  const isCall = rowsIn(moduleCalls(trace));
  return rows.filter(row => trace.slices.kind[row] !== kindIndex.module || isCall(row));
}

function rowsOfChoice(trace: Trace, kinds: SliceKindSet, operators?: ReadonlySet<string>): Int32Array {
  if (operators === undefined || operators.size === 0)
    return kinds === taggedRangeKinds ? taggedRows(trace) : rowsOfKinds(trace, kinds);
  const {kind} = trace.slices;
  const isChosen = kindMask(kinds);
  const isNamed = namesThat(trace, name => operators.has(name));
  return rowsOfKinds(trace, new Set([...kinds, ...operatorKinds])).filter(
    row => isChosen[kind[row]] === 1 || isNamed(row),
  );
}

/** Kinds of the ranges that the runner makes automatically. */
const operatorKinds: readonly SliceKind[] = ['cpu_op', 'module'];

const taggedRangesKey = derivedKey<Int32Array>('tagged ranges');

/** Returns the rows of tagged ranges; the attribution, which also holds them, counts their memory. */
function taggedRows(trace: Trace): Int32Array {
  return derived(
    trace,
    taggedRangesKey,
    () => rowsOfKinds(trace, taggedRangeKinds),
    () => 0,
  );
}

const nvtxKinds: SliceKindSet = new Set<SliceKind>(['nvtx_pushpop', 'nvtx_startend']);

/** Splits ranges by whether they form a thread's stack. `stacked` is null if all do. */
export function splitOverlay({slices}: Trace, slice: Int32Array): {stacked: Int32Array | null; overlay: Int32Array} {
  const {kind} = slices;
  const isOverlay = (range: number) => kind[slice[range]] === kindIndex.nvtx_startend;
  let count = 0;
  for (let range = 0; range < slice.length; range++) if (isOverlay(range)) count++;
  const overlay = new Int32Array(count);
  if (count === 0) return {stacked: null, overlay};
  const stacked = new Int32Array(slice.length - count);
  for (let range = 0, at = 0, other = 0; range < slice.length; range++) {
    if (isOverlay(range)) overlay[at++] = range;
    else stacked[other++] = range;
  }
  return {stacked, overlay};
}
