import {everything, insideNs, type Chosen} from '../attribution/chosen.js';
import type {TimeWindow} from '../base/time-window.js';
import {derived, derivedKey, derivedPart, type DerivedKey} from '../trace/derived.js';
import type {Trace} from '../trace/trace.js';
import {attributionOf} from './attribution-of.js';
import {choose} from './selection.js';
import {stepScope} from './step-scope.js';

/** The scope of figures of lines and ranges: all steps, the whole profile, or a window of time. */
export type TimingScope = 'steps' | 'profile' | TimeWindow;

export function isTimeWindow(of: TimingScope): of is TimeWindow {
  return typeof of === 'object';
}

/** Returns the scope to use if steps are requested: the profile if it has no steps. */
export function scopeIn(trace: Trace, of: TimingScope): TimingScope {
  return of === 'steps' && stepScope(trace).numbers.length === 0 ? 'profile' : of;
}

const chosenKey = derivedKey<Chosen>('chosen');

/**
 * Returns the rows from which figures of a scope are computed. A window works as in `gpu-lens ranges --from --to`.
 *
 * @see docs/metrics.md#selection
 */
export function chosenIn(trace: Trace, of: TimingScope): Chosen {
  if (of === 'profile') return everything;
  if (of === 'steps') return stepScope(trace).chosen;
  return derivedIn(trace, of, chosenKey, () => choose(trace, attributionOf(trace), {fromNs: of.fromNs, toNs: of.toNs}));
}

/** Returns the GPU work of the chosen operations, clipped to the window; ns. */
export function gpuWorkIn({slices, gpuOperations}: Trace, chosen: Chosen): number {
  let workNs = 0;
  for (let operation = 0; operation < gpuOperations.length; operation++) {
    if (chosen.operations?.[operation] === 0) continue;
    const slice = gpuOperations.slice[operation];
    workNs += insideNs(slices.startNs[slice], slices.durationNs[slice], chosen);
  }
  return workNs;
}

/**
 * Returns the wall time of the steps, of the profile from its first to its last event, or of the part in the window;
 * ns.
 */
export function wallIn(trace: Trace, of: TimingScope): number {
  if (of === 'profile') return trace.spanNs;
  return of === 'steps' ? stepScope(trace).wallNs : insideNs(0, trace.spanNs, of);
}

/** Results for the last requested window. Windows change often, and few are requested again. */
interface LatestWindow {
  window: TimeWindow | null;
  readonly values: Map<unknown, Map<string, unknown>>;
}

const latestWindowKey = derivedKey<LatestWindow>('latest window');

/**
 * Returns what `make` computes for a scope of a trace, cached; for a window, until another one is requested.
 *
 * @param part distinguishes several results of one key
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
