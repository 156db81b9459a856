import {isMeasurable, noiseOf, type MedianChange} from '../compare/median-change.js';
import {formatChange} from '../format/change.js';

/**
 * Returns `+12 % (±3)`, or `not measurable (±35 %)` for a change that noise explains, without the noise if it is
 * unknown.
 *
 * @param of text after the percent sign: ` of a step`
 */
export function medianChangeText(change: MedianChange, of = ''): string {
  const noise = noiseOf(change);
  if (isMeasurable(change)) return formatChange(change.percent, noise) + of;
  return noise === null ? 'not measurable' : `not measurable (±${noise.toFixed(noise >= 9.95 ? 0 : 1)} %${of})`;
}
