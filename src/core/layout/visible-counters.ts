import {TableBuilder, type Table} from '../table/table.js';
import {arrayBytes, derived, derivedKey} from '../trace/derived.js';
import type {Trace} from '../trace/trace.js';

/**
 * One row per counter and pixel in which its value changes, by counter and time.
 *
 *     row  counter  atPx   low  high  last
 *      0        0    0.0    40    40    40   the value at the window's left edge
 *      1        0   12.0    10    90    55   many samples within a pixel: the least, the largest, the last
 *
 * Pixels count from the window's left edge; the last value holds to the next row's pixel.
 */
const visibleCounterSchema = {low: 'f64', high: 'f64', last: 'f64', counter: 'i32', atPx: 'f32'} as const;
export type VisibleCounters = Table<typeof visibleCounterSchema>;

/**
 * The least and greatest values are stored for groups of this many samples, so that a pixel takes few steps, whatever
 * its number of samples.
 */
const groupSize = 64;

interface Extremes {
  readonly low: Float64Array;
  readonly high: Float64Array;
}

/** Returns what to draw for some counters in a window: at most one row per pixel and counter. */
export function visibleCounters(
  trace: Trace,
  {fromNs, toNs, widthPx}: {readonly fromNs: number; readonly toNs: number; readonly widthPx: number},
  counters: readonly number[],
): VisibleCounters {
  const {atNs, value} = trace.counterSamples;
  const builder = new TableBuilder(visibleCounterSchema, 256);
  const nsPerPx = (toNs - fromNs) / widthPx;
  for (const counter of counters) {
    const {firstSample, endSample} = trace.counters[counter] ?? {firstSample: 0, endSample: 0};
    let at = firstAfter(atNs, firstSample, endSample, fromNs);
    // The value at the left edge is that of an earlier sample.
    if (at > firstSample) {
      const held = value[at - 1];
      builder.push({counter, atPx: 0, low: held, high: held, last: held});
    }
    while (at < endSample && atNs[at] < toNs) {
      const next = firstAfter(atNs, at, endSample, atNs[at] + nsPerPx);
      const {low, high} = extremes(trace, at, next);
      builder.push({counter, atPx: (atNs[at] - fromNs) / nsPerPx, low, high, last: value[next - 1]});
      at = next;
    }
  }
  return builder.finish();
}

/** Returns the result if no counter is visible. */
export function noCounters(): VisibleCounters {
  return new TableBuilder(visibleCounterSchema, 1).finish();
}

/** Returns the least and greatest value of a counter; NaN if it has no samples. */
export function counterRange(trace: Trace, counter: number): {low: number; high: number} {
  const {firstSample, endSample} = trace.counters[counter];
  return endSample > firstSample ? extremes(trace, firstSample, endSample) : {low: NaN, high: NaN};
}

/** Returns the first sample later than `ns`. */
function firstAfter(atNs: Float64Array, first: number, end: number, ns: number): number {
  while (first < end) {
    const middle = (first + end) >>> 1;
    if (atNs[middle] <= ns) first = middle + 1;
    else end = middle;
  }
  return first;
}

/** Returns the least and greatest value of samples `from` to `to` (exclusive), of which there must be at least one. */
function extremes(trace: Trace, from: number, to: number): {low: number; high: number} {
  const {value} = trace.counterSamples;
  const groups = groupExtremes(trace);
  let low = Infinity;
  let high = -Infinity;
  for (let at = from; at < to;) {
    const isWholeGroup = at % groupSize === 0 && at + groupSize <= to;
    const group = at / groupSize;
    low = Math.min(low, isWholeGroup ? groups.low[group] : value[at]);
    high = Math.max(high, isWholeGroup ? groups.high[group] : value[at]);
    at += isWholeGroup ? groupSize : 1;
  }
  return {low, high};
}

const counterExtremesKey = derivedKey<Extremes>('counter extremes');

function groupExtremes(trace: Trace): Extremes {
  return derived(
    trace,
    counterExtremesKey,
    () => {
      const {value, length} = trace.counterSamples;
      const count = Math.ceil(length / groupSize);
      const low = new Float64Array(count).fill(Infinity);
      const high = new Float64Array(count).fill(-Infinity);
      for (let at = 0; at < length; at++) {
        const group = Math.floor(at / groupSize);
        if (value[at] < low[group]) low[group] = value[at];
        if (value[at] > high[group]) high[group] = value[at];
      }
      return {low, high};
    },
    arrayBytes,
  );
}
