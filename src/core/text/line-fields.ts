import {say} from '../base/say.js';
import type {TimeWindow} from '../base/time-window.js';
import type {LineTiming} from '../lines/line-timings.js';
import {isTimeWindow, type TimingScope} from '../scope/timing-scope.js';
import {formatCount} from '../format/count.js';
import {formatCounterValue} from '../names/counter-value.js';
import {formatDuration, formatPart, formatPercent} from '../format/duration.js';

/** What figures above lines are per: a step (a call if the profile has no steps), a call, or the whole profile. */
export const linePers = ['step', 'call', 'all'] as const;
export type LinePer = (typeof linePers)[number];

/** Returns the scope of the displayed lines: the window, if lines are limited to one. */
export function scopeOfLines(per: LinePer, window: TimeWindow | null): TimingScope {
  return window ?? (per === 'step' ? 'steps' : 'profile');
}

/** The divisor of a line's figures, and its text. */
export interface LineUnit {
  readonly divisor: number;
  /** Follows a time: `/step`, `/call`, or nothing for the whole profile. */
  readonly suffix: '/step' | '/call' | '';
}

/**
 * Returns the unit of a timing. A timing of steps is always per step, because it does not separate calls. A timing of a
 * window is a total if steps are requested, because a window may contain partial steps.
 */
export function lineUnit({of, steps, count}: LineTiming, per: LinePer): LineUnit {
  if (of === 'steps') return {divisor: steps, suffix: '/step'};
  const isInAll = per === 'all' || (per === 'step' && isTimeWindow(of));
  return isInAll || count === 0 ? {divisor: 1, suffix: ''} : {divisor: count, suffix: '/call'};
}

/** Returns the text of a unit: "per step", "per call", "in all". */
export function unitText({suffix}: LineUnit): string {
  if (suffix === '') return say('in all');
  return suffix === '/step' ? say('per step') : say('per call');
}

/** The names of a line template's fields. @see docs/metrics.md#lines */
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

/** Returns the text of every field for a timing; '' if the profile has no value. @param delta text from `deltaText` */
export function lineFields(timing: LineTiming, per: LinePer, delta: string): LineFields {
  const {gpuWorkNs, backwardGpuWorkNs, allGpuWorkNs} = timing;
  const unit = lineUnit(timing, per);
  const workNs = (gpuWorkNs + backwardGpuWorkNs) / unit.divisor;
  const time = (ns: number) => (ns > 0 ? formatDuration(ns / unit.divisor) + unit.suffix : '');
  const number = (value: number) => (value > 0 ? amount(value / unit.divisor) : '');
  const part = (ns: number) => (backwardGpuWorkNs > 0 ? formatPart(ns / unit.divisor, workNs) : '');
  // These fields cover only forward work, unlike the figure next to them.
  const forward = (text: string) => (text !== '' && backwardGpuWorkNs > 0 ? `fwd ${text}` : text);
  return {
    work: time(gpuWorkNs + backwardGpuWorkNs),
    share: gpuWorkNs + backwardGpuWorkNs > 0 ? formatPercent(gpuWorkNs + backwardGpuWorkNs, allGpuWorkNs) : '',
    forward: part(gpuWorkNs),
    backward: part(backwardGpuWorkNs),
    // Per call, it is always one; the number of calls is more useful.
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

/** Formats a number that may be fractional: a range may run in only some steps. */
export function amount(value: number): string {
  if (Number.isInteger(value)) return formatCount(value);
  return value < 0.1 ? '<0.1' : value.toFixed(1);
}
