import {timeUnits} from './time-units.js';

/**
 * Returns a formatter of times, all in one unit that suits the largest, with enough decimals to tell `stepNs` apart:
 * zoomed into a trace of seconds, it writes `1.204517 s`.
 */
export function timeFormatter(largestNs: number, stepNs: number): (ns: number) => string {
  const leastNs = Math.max(1, stepNs);
  const magnitudeNs = Math.max(Math.abs(largestNs), leastNs);
  // Seconds for a long trace, unless the step would need more than six decimals.
  const unit = timeUnits.find(({ns}) => magnitudeNs >= ns && leastNs >= ns * 1e-6) ?? timeUnits[3];
  const decimals = Math.min(9, Math.max(0, Math.ceil(-Math.log10(leastNs / unit.ns) - 1e-9)));
  return ns => `${(ns / unit.ns).toFixed(decimals).replace(/^-(0(\.0*)?)$/, '$1')} ${unit.symbol}`;
}
