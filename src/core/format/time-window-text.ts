import {timeUnits} from './time-units.js';

/**
 * The window that a person writes: `10-20 ms`, `10 – 20`, `1.5 to 2 s`; milliseconds where no unit is named. Null for
 * what is no window, or an empty one.
 */
export function parseTimeWindow(text: string): {fromNs: number; toNs: number} | null {
  const match = /^\s*(\d+(?:\.\d+)?)\s*(?:-|–|to)\s*(\d+(?:\.\d+)?)\s*(ns|us|µs|ms|s|)\s*$/i.exec(text);
  if (!match) return null;
  const symbol = match[3].toLowerCase().replace(/^us$/, 'µs');
  const perUnit = timeUnits.find(unit => unit.symbol === symbol)?.ns ?? 1e6;
  const fromNs = Math.round(Number(match[1]) * perUnit);
  const toNs = Math.round(Number(match[2]) * perUnit);
  return toNs > fromNs ? {fromNs, toNs} : null;
}
