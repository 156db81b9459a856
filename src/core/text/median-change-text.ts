import {isMeasurable, noiseOf, type MedianChange} from '../compare/median-change.js';
import {formatChange} from '../format/change.js';

/**
 * `+12 % (±3)`; `not measurable (±35 %)` for a change that noise explains, without the noise where it is not known.
 *
 * @param of what follows the percent: ` of a step`
 */
export function medianChangeText(change: MedianChange, of = ''): string {
  const noise = noiseOf(change);
  if (isMeasurable(change)) return formatChange(change.percent, noise) + of;
  return noise === null ? 'not measurable' : `not measurable (±${noise.toFixed(noise >= 9.95 ? 0 : 1)} %${of})`;
}
