import {say, template} from '../base/say.js';
import {formatDuration, formatPercent} from '../format/duration.js';
import {callsText, signedDuration, signedPercent} from '../format/signed.js';
import {
  blockChange,
  changedPart,
  type BlockChange,
  type DifferenceSide,
  type ShownDifference,
} from './flame-difference.js';
import {verdictText} from './verdict-text.js';
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
  if (change.verdict === 'new' || change.verdict === 'gone') return verdictText(change.verdict);
  if (change.verdict === 'same' || change.beforeNs === 0) return '';
  const mark = `${signedPercent((100 * change.deltaNs) / change.beforeNs)} %`;
  return change.verdict === 'cannot tell' ? `${mark}?` : mark;
}

/** Returns a sentence that explains the picture. */
export function differenceLegend(side: DifferenceSide): string {
  return say(
    side === 'before'
      ? 'Blocks are as wide as the time before. Orange and + took more, blue and − took less, and grey is within the noise. Changes with "?" cannot be told from noise.'
      : 'Blocks are as wide as the time after. Orange and + took more, blue and − took less, and grey is within the noise. Changes with "?" cannot be told from noise.',
  );
}

/** The work of a block on both sides: templates. */
const workTexts = {
  call: template('GPU work a call: {0} before, {1} after'),
  step: template('GPU work a step: {0} before, {1} after'),
  all: template('GPU work in all: {0} before, {1} after'),
} as const;

/** Returns the text of a block of two runs, a line per figure. @see docs/metrics.md#flame-difference */
export function differenceLines(difference: ShownDifference, block: number): string[] {
  const {per, measure, before, after} = difference;
  const change = blockChange(difference, block);
  const work = workTexts[measure === 'call' ? 'call' : per];
  const [beforeCalls, afterCalls] = [before.calls[block], after.calls[block]];
  const total = difference.side === 'before' ? before.workNs : after.workNs;
  return [
    say(work, formatDuration(change.beforeNs), formatDuration(change.afterNs)),
    changeText(change),
    say(
      per === 'step' ? 'Calls a step: {0} before, {1} after' : 'Calls: {0} before, {1} after',
      callsText(beforeCalls),
      callsText(afterCalls),
    ),
    say(difference.side === 'before' ? '{0} of all before' : '{0} of all after', formatPercent(total[block], total[0])),
  ];
}

function changeText({deltaNs, noiseNs, beforeNs, verdict}: BlockChange): string {
  if (verdict === 'new' || verdict === 'gone') return say('{0}: {1}', signedDuration(deltaNs), verdictText(verdict));
  const noise = Number.isNaN(noiseNs) ? '' : ` ± ${formatDuration(noiseNs)}`;
  const percent = beforeNs > 0 ? `, ${signedPercent((100 * deltaNs) / beforeNs)} %` : '';
  return say('{0}: {1}', `${signedDuration(deltaNs)}${noise}${percent}`, verdictText(verdict));
}
