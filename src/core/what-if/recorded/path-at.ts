import {launchSites} from '../../attribution/launch-sites.js';
import {TraceError} from '../../base/errors.js';
import {say} from '../../base/say.js';
import {operationOfSlice} from '../../figures/operation-of-slice.js';
import {formatCount} from '../../format/count.js';
import {stepsOf} from '../../scope/steps.js';
import {greatest} from '../../table/extremes.js';
import {derivedKey, derivedLately} from '../../trace/derived.js';
import type {Trace} from '../../trace/trace.js';
import {pathStretches, type PathStretches} from './path-stretches.js';
import {countEvents} from './recorded-events.js';
import {recordedPath} from './recorded-path.js';
import {recordedWindow, windowOfStep, type NamedWindow} from './recorded-window.js';

/** The critical path of a window, for drawing on a timeline. */
export interface PathPicture {
  /** Its window: `step 5`. */
  readonly window: string;
  readonly pathNs: number;
  readonly stretches: PathStretches;
}

/** How much longer a slice could take without lengthening its step's critical path. */
export interface SliceSlack {
  readonly window: string;
  readonly slackNs: number;
  readonly isCritical: boolean;
}

/** The cached part of a path: its picture, and the slack of slices, whose rows ascend. */
interface KeptPath extends PathPicture {
  readonly slices: Int32Array;
  readonly slackNs: Float64Array;
  readonly critical: Int32Array;
}

/** Finding a path takes some 500 bytes per event. */
const mostEvents = 500_000;
const mostKept = 4;

const pathKey = derivedKey<KeptPath>('critical path');

/**
 * Returns the critical path of the step at a time, the last to begin if there are several; for null or a time before
 * all steps, that of the usual step; without steps, that of the whole profile.
 *
 * @throws TraceError `path/too-large` for a window with more than 500,000 events
 * @see docs/metrics.md#recorded-path
 */
export function pathAt(trace: Trace, atNs: number | null): PathPicture {
  const {window, pathNs, stretches} = keptPath(trace, windowAt(trace, atNs));
  return {window, pathNs, stretches};
}

/**
 * Returns the slack of an operator, an API call or a GPU operation in the step in which it was called or launched; null
 * for any other slice, and outside all steps.
 *
 * @throws TraceError `path/too-large`
 */
export function slackOf(trace: Trace, slice: number): SliceSlack | null {
  const atNs = calledNs(trace, slice);
  const isInStep = stepsOf(trace).some(({startNs, endNs}) => startNs <= atNs && atNs <= endNs);
  if (!Number.isFinite(atNs) || (stepsOf(trace).length > 0 && !isInStep)) return null;
  const {window, slices, slackNs, critical} = keptPath(trace, windowAt(trace, atNs));
  const at = placeOf(slices, slice);
  if (at < 0) return null;
  return {window, slackNs: Math.round(slackNs[at]), isCritical: placeOf(critical, slice) >= 0};
}

/** @throws TraceError `path/too-large` */
export function refuseLargePath(trace: Trace, window: NamedWindow): void {
  const events = countEvents(trace, window);
  if (events <= mostEvents) return;
  const text = say(
    '{0} has {1} operators and calls: too many for a critical path in a view. "gpu-lens critical-path" finds it.',
    window.text,
    formatCount(events),
  );
  throw new TraceError('path/too-large', text.charAt(0).toUpperCase() + text.slice(1));
}

function keptPath(trace: Trace, window: NamedWindow): KeptPath {
  return derivedLately(trace, pathKey, `${String(window.fromNs)} ${String(window.toNs)}`, mostKept, () => {
    refuseLargePath(trace, window);
    const path = recordedPath(trace, window);
    const slack = [...path.slackNs].sort(([a], [b]) => a - b);
    return {
      ...{window: window.text, pathNs: Math.round(path.ns), stretches: pathStretches(trace, path)},
      ...{slices: Int32Array.from(slack, ([row]) => row), slackNs: Float64Array.from(slack, ([, ns]) => ns)},
      critical: path.slices,
    };
  });
}

function windowAt(trace: Trace, atNs: number | null): NamedWindow {
  if (atNs === null) return recordedWindow(trace, null, null);
  const begun = stepsOf(trace).filter(({startNs}) => startNs <= atNs);
  const lastEndNs = greatest(begun.map(({endNs}) => endNs));
  const step = begun.findLast(({endNs}) => endNs >= Math.min(atNs, lastEndNs));
  return step ? windowOfStep(step) : recordedWindow(trace, null, null);
}

/** Returns when a slice, or the call that launched it, began on its thread; NaN if unknown. */
function calledNs(trace: Trace, slice: number): number {
  const {slices} = trace;
  if (!Number.isInteger(slice) || slice < 0 || slice >= slices.length) return NaN;
  const operation = operationOfSlice(trace, slice);
  if (operation < 0) return slices.startNs[slice];
  const {launchOf, slice: siteSlice} = launchSites(trace);
  const site = launchOf[operation];
  return site < 0 ? NaN : slices.startNs[siteSlice[site]];
}

/** Returns the position of a value in an ascending list; -1 if it is absent. */
function placeOf(values: Int32Array, value: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle] < value) low = middle + 1;
    else high = middle;
  }
  return values[low] === value ? low : -1;
}
