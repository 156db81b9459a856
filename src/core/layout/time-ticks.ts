import {greatest} from '../table/extremes.js';
import {scaleLinear} from 'd3-scale';
import {timeFormatter} from '../format/time.js';
import type {TimeWindow} from '../base/time-window.js';

export interface TimeTick {
  readonly ns: number;
  readonly text: string;
}

/** Returns round times inside a window, about `count` of them, each with enough decimals to tell neighbours apart. */
export function timeTicks({fromNs, toNs}: TimeWindow, count: number): TimeTick[] {
  const ticks = scaleLinear().domain([fromNs, toNs]).ticks(Math.max(2, count));
  const stepNs = Math.max(1, (ticks[1] ?? 1) - (ticks[0] ?? 0));
  const text = timeFormatter(Math.max(greatest(ticks.map(Math.abs)), stepNs), stepNs);
  return ticks.map(ns => ({ns, text: text(ns)}));
}
