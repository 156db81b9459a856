import {median} from '../base/median.js';

/** A straight line through the differences of two clocks. */
export interface ClockFit {
  /** Added at `atNs`, ns. */
  readonly offsetNs: number;
  readonly atNs: number;
  /** Added on top for each ns after it. */
  readonly drift: number;
  /** Median distance of the differences from the line, ns. */
  readonly residualNs: number;
}

/** With fewer points, a slope would be noise. */
const leastForDrift = 8;
/** So many points have about 2,000 pairs: enough for a slope, and fast in a job of a thousand ranks. */
const mostForSlopes = 64;

/**
 * Fits the offset that turns one clock into another: the median, or with drift the line of Theil and Sen through the
 * medians of slopes and distances, which up to three in ten wrong pairs do not move.
 *
 * @param timesNs times on the first clock, ascending
 * @param differencesNs offsets at those times
 * @see Sen, Journal of the American Statistical Association 63 (1968)
 */
export function fitClock(timesNs: readonly number[], differencesNs: readonly number[]): ClockFit {
  const [atNs] = timesNs;
  const constant = lineOf(timesNs, differencesNs, atNs, 0);
  if (timesNs.length < leastForDrift) return constant;
  const inclined = lineOf(timesNs, differencesNs, atNs, medianSlope(timesNs, differencesNs));
  return inclined.residualNs < constant.residualNs / 2 ? inclined : constant;
}

function lineOf(timesNs: readonly number[], differencesNs: readonly number[], atNs: number, drift: number): ClockFit {
  const levelled = differencesNs.map((difference, at) => difference - drift * (timesNs[at] - atNs));
  const offsetNs = median(levelled);
  return {offsetNs, atNs, drift, residualNs: median(levelled.map(level => Math.abs(level - offsetNs)))};
}

function medianSlope(timesNs: readonly number[], differencesNs: readonly number[]): number {
  const stride = Math.ceil(timesNs.length / mostForSlopes);
  const slopes: number[] = [];
  for (let a = 0; a < timesNs.length; a += stride) {
    for (let b = a + stride; b < timesNs.length; b += stride) {
      const apartNs = timesNs[b] - timesNs[a];
      if (apartNs > 0) slopes.push((differencesNs[b] - differencesNs[a]) / apartNs);
    }
  }
  return slopes.length === 0 ? 0 : median(slopes);
}
