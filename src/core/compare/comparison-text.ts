import {plural} from '../format/count.js';
import {formatDuration} from '../format/duration.js';
import {shortenMiddle} from '../format/shorten-middle.js';
import {signedDuration, signedPercent} from '../format/signed.js';
import type {ComparisonNoise, ComparisonRow, RunComparison} from './run-comparison.js';

const comparableTexts = {yes: 'Comparable.', partly: 'Partly comparable.', no: 'Not comparable.'} as const;

/**
 * Returns the lines above the rows, a sentence each: whether the runs can be compared, the reasons if not, and the
 * total.
 */
export function summaryLines({comparable, total}: Pick<RunComparison, 'comparable' | 'total'>): string[] {
  const per = total.per === 'step' ? ' a step' : '';
  const percent = total.beforeNs > 0 ? `, ${signedPercent((100 * total.deltaNs) / total.beforeNs)} %` : '';
  const noiseText = total.noiseNs === null ? '' : ` ± ${formatDuration(total.noiseNs)}`;
  return [
    comparableTexts[comparable.verdict],
    ...comparable.reasons.map(({text}) => text),
    `GPU work${per}: ${formatDuration(total.beforeNs)} before, ${formatDuration(total.afterNs)} after; ${signedDuration(total.deltaNs)}${noiseText}${percent}: ${total.verdict}.`,
  ];
}

/** Returns a sentence about the source of the noise. */
export function noiseText({from, baseRuns, changedRuns}: ComparisonNoise): string {
  if (from === 'runs') {
    const sides = `${plural(baseRuns, 'run')} of the base and ${plural(changedRuns, 'run')} of the changed code`;
    return `Noise: between the steps of a run and between ${sides}.`;
  }
  return 'Noise: between the steps of the two runs; no repeated run of the same code tells how much runs differ.';
}

/** Returns the rows with GPU work of their own on at least one side. */
export function rowsWithWork(rows: readonly ComparisonRow[]): ComparisonRow[] {
  return rows.filter(({before, after}) => before.gpuWorkNs + after.gpuWorkNs > 0);
}

/** Returns a sentence with the number of the other rows; null if there are none. */
export function withoutWorkText(rows: readonly ComparisonRow[]): string | null {
  const hidden = rows.length - rowsWithWork(rows).length;
  return hidden === 0 ? null : `Not shown: ${plural(hidden, 'row')} without GPU work of their own.`;
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
