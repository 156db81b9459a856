import type {TimeWindow} from '../base/time-window.js';
import {timeFormatter} from './time.js';
import {timeUnits} from './time-units.js';

/**
 * Parses a time window as users write it: `10-20 ms`, `10 – 20`, `1.5 to 2 s`, `10:20`; milliseconds if there is no
 * unit. Null for anything else, and for an empty window.
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

/** A window is written to a hundredth of its width. */
const windowDigits = 100;

/** Formats a window in one unit: `12.3–45.6 ms`. The text is off by at most a hundredth of its width. */
export function timeWindowText({fromNs, toNs}: TimeWindow): string {
  const text = timeFormatter(toNs, (toNs - fromNs) / windowDigits);
  return `${text(fromNs).replace(/ .*/, '')}–${text(toNs)}`;
}
