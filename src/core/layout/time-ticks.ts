import {scaleLinear} from 'd3-scale';
import type {TimeWindow} from './time-window.js';

export interface TimeTick {
  readonly ns: number;
  readonly text: string;
}

const units = [
  {ns: 1e9, symbol: 's'},
  {ns: 1e6, symbol: 'ms'},
  {ns: 1e3, symbol: 'µs'},
  {ns: 1, symbol: 'ns'},
] as const;

/** Round times inside a window, about `count` of them, each with as many decimals as tell neighbours apart. */
export function timeTicks({fromNs, toNs}: TimeWindow, count: number): TimeTick[] {
  const ticks = scaleLinear().domain([fromNs, toNs]).ticks(Math.max(2, count));
  const stepNs = Math.max(1, (ticks[1] ?? 1) - (ticks[0] ?? 0));
  const largestNs = Math.max(...ticks.map(Math.abs), stepNs);
  // Seconds for a long trace, but never so that the step has more than six decimals.
  const unit = units.find(({ns}) => largestNs >= ns && stepNs >= ns * 1e-6) ?? units[3];
  const decimals = Math.max(0, Math.ceil(-Math.log10(stepNs / unit.ns) - 1e-9));
  return ticks.map(ns => ({
    ns,
    text: `${(ns / unit.ns).toFixed(Math.min(decimals, 9)).replace(/^-(0(\.0*)?)$/, '$1')} ${unit.symbol}`,
  }));
}
