import type {TimeWindow} from '../base/time-window.js';
import {timeFormatter} from './time.js';
import {timeUnits} from './time-units.js';

/**
 * The window that a person writes: `10-20 ms`, `10 – 20`, `1.5 to 2 s`, `10:20`; milliseconds where no unit is named. Null for
 * what is no window, or an empty one.
 */
export function parseTimeWindow(text: string): TimeWindow | null {
  const match = /^\s*(\d+(?:\.\d+)?)\s*(?:-|–|:|to)\s*(\d+(?:\.\d+)?)\s*(ns|us|µs|ms|s|)\s*$/i.exec(text);
  if (!match) return null;
  const symbol = match[3].toLowerCase().replace(/^us$/, 'µs');
  const perUnit = timeUnits.find(unit => unit.symbol === symbol)?.ns ?? 1e6;
  const fromNs = Math.round(Number(match[1]) * perUnit);
  const toNs = Math.round(Number(match[2]) * perUnit);
  return toNs > fromNs ? {fromNs, toNs} : null;
}

/** A window is told to a hundredth of its width. */
const windowDigits = 100;

/** A window as people write it, in one unit: `12.3–45.6 ms`. What it says is a hundredth of its width off at most. */
export function timeWindowText({fromNs, toNs}: TimeWindow): string {
  const text = timeFormatter(toNs, (toNs - fromNs) / windowDigits);
  return `${text(fromNs).replace(/ .*/, '')}–${text(toNs)}`;
}
