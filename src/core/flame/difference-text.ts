import {formatDuration, formatPercent} from '../format/duration.js';
import {callsText, signedDuration, signedPercent} from '../format/signed.js';
import {
  blockChange,
  changedPart,
  type BlockChange,
  type DifferenceSide,
  type ShownDifference,
} from './flame-difference.js';
import {hueColors, neutralColors, type MarkColors, type ThemeKind} from '../layout/mark-colors.js';

/** Blue for less time, orange for more: colour-blind people can tell them apart. */
const [lessHue, moreHue] = [212, 28];
/** A change by half of the time or more has the full colour. */
const fullPart = 0.5;
const [leastSaturation, mostSaturation] = [18, 88];
const saturationSteps = 7;

/** Returns the colour of a block's change: none within the noise; otherwise stronger for a larger relative change. */
export function changeColors(difference: ShownDifference, block: number, theme: ThemeKind): MarkColors {
  const change = blockChange(difference, block);
  const part = changedPart(change);
  if (change.verdict === 'same' || part === 0) return neutralColors(theme);
  // A change that cannot be told from noise is pale, however large.
  const strength = change.verdict === 'cannot tell' ? 0.2 : Math.min(1, Math.abs(part) / fullPart);
  const step = Math.round(strength * saturationSteps) / saturationSteps;
  const saturation = Math.round(leastSaturation + step * (mostSaturation - leastSaturation));
  return hueColors(part < 0 ? lessHue : moreHue, 8, theme, saturation);
}

/** Returns the text before a block's name: the sign and size of its change. */
export function changeMark(difference: ShownDifference, block: number): string {
  const change = blockChange(difference, block);
  if (change.verdict === 'new' || change.verdict === 'gone') return change.verdict;
  if (change.verdict === 'same' || change.beforeNs === 0) return '';
  const mark = `${signedPercent((100 * change.deltaNs) / change.beforeNs)} %`;
  return change.verdict === 'cannot tell' ? `${mark}?` : mark;
}

/** Returns a sentence that explains the picture. */
export function differenceLegend(side: DifferenceSide): string {
  return `Blocks are as wide as the time ${side}. Orange and + took more, blue and − less, grey is within the noise; "?" cannot be told from noise.`;
}

/** Returns the text of a block of two runs, a line per figure. @see docs/metrics.md#flame-difference */
export function differenceLines(difference: ShownDifference, block: number): string[] {
  const {per, measure, before, after} = difference;
  const change = blockChange(difference, block);
  const unit = measure === 'call' ? 'a call' : per === 'step' ? 'a step' : 'in all';
  const [beforeCalls, afterCalls] = [before.calls[block], after.calls[block]];
  const total = difference.side === 'before' ? before.workNs : after.workNs;
  return [
    `GPU work ${unit}: ${formatDuration(change.beforeNs)} before, ${formatDuration(change.afterNs)} after`,
    changeText(change),
    `Calls${per === 'step' ? ' a step' : ''}: ${callsText(beforeCalls)} before, ${callsText(afterCalls)} after`,
    `${formatPercent(total[block], total[0])} of all ${difference.side}`,
  ];
}

function changeText({deltaNs, noiseNs, beforeNs, verdict}: BlockChange): string {
  if (verdict === 'new' || verdict === 'gone') return `${signedDuration(deltaNs)}: ${verdict}`;
  const noise = Number.isNaN(noiseNs) ? '' : ` ± ${formatDuration(noiseNs)}`;
  const percent = beforeNs > 0 ? `, ${signedPercent((100 * deltaNs) / beforeNs)} %` : '';
  return `${signedDuration(deltaNs)}${noise}${percent}: ${verdict}`;
}
