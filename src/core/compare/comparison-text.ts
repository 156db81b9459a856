import {say, template} from '../base/say.js';
import {verdictText} from '../flame/verdict-text.js';
import {counted} from '../format/count.js';
import {formatDuration} from '../format/duration.js';
import {shortenMiddle} from '../format/shorten-middle.js';
import {signedDuration, signedPercent} from '../format/signed.js';
import type {MatchedBy} from './match-entries.js';
import type {ComparisonNoise, ComparisonRow, RunComparison} from './run-comparison.js';

const comparableTexts = {
  yes: template('Comparable.'),
  partly: template('Partly comparable.'),
  no: template('Not comparable.'),
} as const;

/**
 * Returns the lines above the rows, a sentence each: whether the runs can be compared, the reasons if not, and the
 * total.
 */
export function summaryLines({comparable, total}: Pick<RunComparison, 'comparable' | 'total'>): string[] {
  const percent = total.beforeNs > 0 ? `, ${signedPercent((100 * total.deltaNs) / total.beforeNs)} %` : '';
  const noiseText = total.noiseNs === null ? '' : ` ± ${formatDuration(total.noiseNs)}`;
  return [
    say(comparableTexts[comparable.verdict]),
    ...comparable.reasons.map(({text}) => text),
    say(
      total.per === 'step'
        ? 'GPU work a step: {0} before, {1} after; {2}: {3}.'
        : 'GPU work: {0} before, {1} after; {2}: {3}.',
      formatDuration(total.beforeNs),
      formatDuration(total.afterNs),
      `${signedDuration(total.deltaNs)}${noiseText}${percent}`,
      verdictText(total.verdict),
    ),
  ];
}

/** Returns a sentence about the source of the noise. */
export function noiseText({from, baseRuns, changedRuns}: ComparisonNoise): string {
  if (from === 'runs') {
    return say(
      'Noise: between the steps of a run and between {0} of the base and {1} of the changed code.',
      counted(baseRuns, '{0} run', '{0} runs'),
      counted(changedRuns, '{0} run', '{0} runs'),
    );
  }
  return say(
    'Noise: between the steps of the two runs. How much runs of the same code differ is not known: there are no repeated runs.',
  );
}

/** Returns the rows with GPU work of their own on at least one side. */
export function rowsWithWork(rows: readonly ComparisonRow[]): ComparisonRow[] {
  return rows.filter(({before, after}) => before.gpuWorkNs + after.gpuWorkNs > 0);
}

/** Returns a sentence with the number of the other rows; null if there are none. */
export function withoutWorkText(rows: readonly ComparisonRow[]): string | null {
  const hidden = rows.length - rowsWithWork(rows).length;
  if (hidden === 0) return null;
  return counted(
    hidden,
    'Not shown: {0} row without GPU work of its own.',
    'Not shown: {0} rows without GPU work of their own.',
  );
}

/** What is shown of how the sides of a row were matched: templates. */
const matchedByTexts: Readonly<Record<MatchedBy, string>> = {
  path: template('path'),
  shapes: template('shapes'),
  sequence: template('sequence'),
  name: template('name'),
  operator: template('operator'),
  'operator-name': template('operator-name'),
  family: template('family'),
};

/** Returns how the sides of a row were matched, in the editor's language; null if they were not. */
export function matchedByText(matchedBy: MatchedBy | null): string | null {
  return matchedBy && say(matchedByTexts[matchedBy]);
}

/**
 * Returns what was matched to what in a row: `ampere_sgemm_128x64_tn → sm80_xmma_gemm_bf16`; null if both sides are
 * called as the row, or there is only one.
 *
 * @param mostLetters the largest length of either side
 */
export function matchedText({matched}: Pick<ComparisonRow, 'matched'>, mostLetters = Infinity): string | null {
  if (matched === undefined) return null;
  return [matched.before, matched.after].map(names => shortenMiddle(names.join(', '), mostLetters)).join(' → ');
}
