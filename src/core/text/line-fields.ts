import {say} from '../base/say.js';
import type {TimeWindow} from '../base/time-window.js';
import type {LineTiming} from '../lines/line-timings.js';
import {isTimeWindow, type TimingScope} from '../scope/timing-scope.js';
import {formatCount} from '../format/count.js';
import {formatCounterValue} from '../names/counter-value.js';
import {formatDuration, formatPart, formatPercent} from '../format/duration.js';

/** What figures above lines are per: a step (a call where the profile has no steps), a call, or all of the profile. */
export const linePers = ['step', 'call', 'all'] as const;
export type LinePer = (typeof linePers)[number];

/** What is asked of lines that are shown so: of a window, where they are scoped to one, of that. */
export function scopeOfLines(per: LinePer, window: TimeWindow | null): TimingScope {
  return window ?? (per === 'step' ? 'steps' : 'profile');
}

/** What the figures of one line are divided by, and how that is said. */
export interface LineUnit {
  readonly divisor: number;
  /** Behind a time: `/step`, `/call`, or nothing for all of the profile. */
  readonly suffix: '/step' | '/call' | '';
}

/**
 * How the figures of a timing are shown. A timing of steps is per step, whatever is asked for: it has no calls apart. One
 * of a window is in all where steps are asked for: a window need not hold whole steps.
 */
export function lineUnit({of, steps, count}: LineTiming, per: LinePer): LineUnit {
  if (of === 'steps') return {divisor: steps, suffix: '/step'};
  const isInAll = per === 'all' || (per === 'step' && isTimeWindow(of));
  return isInAll || count === 0 ? {divisor: 1, suffix: ''} : {divisor: count, suffix: '/call'};
}

/** Says what figures are per: "per step", "in all". */
export function unitText({suffix}: LineUnit): string {
  if (suffix === '') return say('in all');
  return suffix === '/step' ? say('per step') : say('per call');
}

/** The fields of a line's template by name. @see docs/metrics.md#lines */
export const lineFieldNames = [
  'work',
  'share',
  'forward',
  'backward',
  'count',
  'cpu',
  'busy',
  'span',
  'launches',
  'operations',
  'memory',
  'delta',
  'names',
] as const;
export type LineFields = Readonly<Record<(typeof lineFieldNames)[number], string>>;

/** The text of every field for a timing; '' where the profile has nothing to tell. @param delta as `deltaText` has it */
export function lineFields(timing: LineTiming, per: LinePer, delta: string): LineFields {
  const {gpuWorkNs, backwardGpuWorkNs, allGpuWorkNs} = timing;
  const unit = lineUnit(timing, per);
  const workNs = (gpuWorkNs + backwardGpuWorkNs) / unit.divisor;
  const time = (ns: number) => (ns > 0 ? formatDuration(ns / unit.divisor) + unit.suffix : '');
  const number = (value: number) => (value > 0 ? amount(value / unit.divisor) : '');
  const part = (ns: number) => (backwardGpuWorkNs > 0 ? formatPart(ns / unit.divisor, workNs) : '');
  // Not of the work beside them, then.
  const forward = (text: string) => (text !== '' && backwardGpuWorkNs > 0 ? `fwd ${text}` : text);
  return {
    work: time(gpuWorkNs + backwardGpuWorkNs),
    share: gpuWorkNs + backwardGpuWorkNs > 0 ? formatPercent(gpuWorkNs + backwardGpuWorkNs, allGpuWorkNs) : '',
    forward: part(gpuWorkNs),
    backward: part(backwardGpuWorkNs),
    // Per call there is one: how many calls there were says more.
    count: timing.count === 0 ? '' : amount(timing.of === 'steps' ? timing.count / timing.steps : timing.count),
    cpu: time(timing.cpuWallNs),
    busy: forward(time(timing.gpuBusyNs)),
    span: forward(time(timing.gpuSpanNs)),
    launches: number(timing.launches),
    operations: number(timing.operations),
    memory: Number.isNaN(timing.peakBytes) ? '' : formatCounterValue(timing.peakBytes, 'bytes'),
    delta,
    names: timing.nameCount > 1 ? say('{0} ranges', formatCount(timing.nameCount)) : '',
  };
}

/** A number that need not be whole: a range may run in some steps only. */
export function amount(value: number): string {
  if (Number.isInteger(value)) return formatCount(value);
  return value < 0.1 ? '<0.1' : value.toFixed(1);
}
