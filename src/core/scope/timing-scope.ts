import {everything, insideNs, type Chosen} from '../attribution/chosen.js';
import type {TimeWindow} from '../base/time-window.js';
import {derived, derivedKey, derivedPart, type DerivedKey} from '../trace/derived.js';
import type {Trace} from '../trace/trace.js';
import {attributionOf} from './attribution-of.js';
import {choose} from './selection.js';
import {stepScope} from './step-scope.js';

/** What figures of lines and ranges are of: all steps, the whole profile, or a window of time in it. */
export type TimingScope = 'steps' | 'profile' | TimeWindow;

export function isTimeWindow(of: TimingScope): of is TimeWindow {
  return typeof of === 'object';
}

/** The scope that figures are of where steps are asked for: the profile where it has none. */
export function scopeIn(trace: Trace, of: TimingScope): TimingScope {
  return of === 'steps' && stepScope(trace).numbers.length === 0 ? 'profile' : of;
}

const chosenKey = derivedKey<Chosen>('chosen');

/**
 * What figures of a scope are taken from; a window has the rules of `gpu-lens ranges --from --to`.
 *
 * @see docs/metrics.md#selection
 */
export function chosenIn(trace: Trace, of: TimingScope): Chosen {
  if (of === 'profile') return everything;
  if (of === 'steps') return stepScope(trace).chosen;
  return derivedIn(trace, of, chosenKey, () => choose(trace, attributionOf(trace), {fromNs: of.fromNs, toNs: of.toNs}));
}

/** GPU work of what is chosen, the parts inside its window; ns. */
export function gpuWorkIn({slices, gpuOperations}: Trace, chosen: Chosen): number {
  let workNs = 0;
  for (let operation = 0; operation < gpuOperations.length; operation++) {
    if (chosen.operations?.[operation] === 0) continue;
    const slice = gpuOperations.slice[operation];
    workNs += insideNs(slices.startNs[slice], slices.durationNs[slice], chosen);
  }
  return workNs;
}

/** Wall time of the steps, of the profile from its first to its last event, or of the part of it in the window; ns. */
export function wallIn(trace: Trace, of: TimingScope): number {
  if (of === 'profile') return trace.spanNs;
  return of === 'steps' ? stepScope(trace).wallNs : insideNs(0, trace.spanNs, of);
}

/** What was computed of the window that was asked for last: windows come and go, and nobody returns to many. */
interface LatestWindow {
  window: TimeWindow | null;
  readonly values: Map<unknown, Map<string, unknown>>;
}

const latestWindowKey = derivedKey<LatestWindow>('latest window');

/**
 * What `make` computes of a scope of a trace, once; of a window, until another one is asked for.
 *
 * @param part tells apart several of a key
 */
export function derivedIn<T>(trace: Trace, of: TimingScope, key: DerivedKey<T>, make: () => T, part = ''): T {
  if (!isTimeWindow(of)) return derivedPart(trace, key, `${of} ${part}`, make);
  const latest = derived(trace, latestWindowKey, (): LatestWindow => ({window: null, values: new Map()}));
  if (latest.window?.fromNs !== of.fromNs || latest.window.toNs !== of.toNs) {
    latest.window = of;
    latest.values.clear();
  }
  const values = latest.values.get(key) ?? new Map<string, unknown>();
  latest.values.set(key, values);
  if (!values.has(part)) values.set(part, make());
  return values.get(part) as T;
}
