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
  const held =
    culprit === null
      ? ['No rank holds the others up in every step, beyond noise.']
      : [`Rank ${String(culprit.rank)} holds the others up.`, ...culprit.evidence.map(({text}) => `  ${text}`)];
  return [...held, ...(ranks.length > 1 ? [clocks] : []), ...notes.map(({text}) => `Note: ${text}`)];
}

/** Returns the title of a job's kernel table. */
export function kernelsTitle({per}: RangeMeasure): string {
  return `Kernels: GPU work${per === 'step' ? ' a step' : ''} over the ranks, the largest difference first`;
}

/** Returns the title of a job's range table. */
export function rangesTitle({measure, per}: RangeMeasure): string {
  const figure = measure === 'gpuWork' ? 'GPU work' : 'CPU wall time';
  return `Ranges: ${figure}${per === 'step' ? ' a step' : ''} over the ranks, the largest difference first`;
}
