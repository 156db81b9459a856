import {formatDuration} from '../format/duration.js';
import {greatest} from '../table/extremes.js';
import type {JobReport} from './job-report.js';
import type {RangeMeasure} from './rank-spread.js';

/**
 * Returns the conclusions about a job, a sentence a line: the rank that delays the others, the accuracy of the clocks,
 * and notes.
 */
export function jobLines({ranks, alignedBy, culprit, notes}: JobReport): string[] {
  const residualNs = greatest(ranks.map(({residualNs: ns}) => ns ?? NaN));
  const clocks =
    alignedBy === 'collectives'
      ? `Clocks are aligned by collectives that end together, to ${formatDuration(residualNs)} (median distance on the worst rank).`
      : notes.some(({code}) => code === 'job/one-clock')
        ? 'All ranks were recorded by one clock.'
        : 'Not all clocks could be aligned by collectives.';
  const notJudged = notes.find(({code}) => code === 'job/not-judged');
  const held =
    culprit === null
      ? [notJudged?.text ?? 'No rank holds the others up in every step, beyond noise.']
      : [`Rank ${String(culprit.rank)} holds the others up.`, ...culprit.evidence.map(({text}) => `  ${text}`)];
  const others = notes.filter(note => note !== notJudged);
  return [...held, ...(ranks.length > 1 ? [clocks] : []), ...others.map(({text}) => `Note: ${text}`)];
}

/** Returns the title of a job's kernel table. */
export function kernelsTitle({per}: RangeMeasure): string {
  return `Kernels: GPU work${per === 'step' ? ' a step' : ''} over the ranks, the largest difference first`;
}

/** Returns the title of a job's range table. */
export function rangesTitle({measure, per}: RangeMeasure): string {
  return `Ranges: ${workText(measure)}${per === 'step' ? ' a step' : ''} over the ranks, the largest difference first`;
}

/** Returns the title of a job's table of experts. */
export function expertsTitle({measure}: RangeMeasure): string {
  return `Experts: ${workText(measure)} by layer, the worst balanced first`;
}

/** Returns the name of a job's figure of work: its GPU's, or the CPU's if no rank has GPU work. */
export function workText(measure: RangeMeasure['measure']): string {
  return measure === 'gpuWork' ? 'GPU work' : 'CPU wall time';
}
