import {formatCount} from './count.js';
import {formatDuration} from './duration.js';

/** `+1.20 ms`, `−3.00 µs`; nothing has no sign. */
export function signedDuration(ns: number): string {
  if (ns === 0) return formatDuration(0);
  return `${ns > 0 ? '+' : '−'}${formatDuration(Math.abs(ns))}`;
}

/** `+6.6`, `−12.0`; what rounds to nothing has no sign. */
export function signedPercent(percent: number): string {
  const text = Math.abs(percent).toFixed(1);
  return Number(text) === 0 ? text : `${percent > 0 ? '+' : '−'}${text}`;
}

/** Calls per step can be fractions. */
export function callsText(calls: number): string {
  return Number.isInteger(calls) ? formatCount(calls) : calls.toFixed(2);
}
