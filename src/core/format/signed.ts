import {formatCount} from './count.js';
import {formatDuration} from './duration.js';

/** Formats `+1.20 ms`, `−3.00 µs`; zero has no sign. */
export function signedDuration(ns: number): string {
  if (ns === 0) return formatDuration(0);
  return `${ns > 0 ? '+' : '−'}${formatDuration(Math.abs(ns))}`;
}

/** Formats `+6.6`, `−12.0`; a value that rounds to zero has no sign. */
export function signedPercent(percent: number): string {
  const text = Math.abs(percent).toFixed(1);
  return Number(text) === 0 ? text : `${percent > 0 ? '+' : '−'}${text}`;
}

/** Formats calls per step, which can be fractions. */
export function callsText(calls: number): string {
  return Number.isInteger(calls) ? formatCount(calls) : calls.toFixed(2);
}
