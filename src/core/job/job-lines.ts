import {formatDuration} from '../format/duration.js';
import {greatest} from '../table/extremes.js';
import type {JobReport} from './job-report.js';
import type {RangeMeasure} from './rank-spread.js';

/** Returns what a job comes to, a sentence a line: who holds the others up, how sure the clocks are, and notes. */
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

/** Returns what stands above the kernels of a job. */
export function kernelsTitle({per}: RangeMeasure): string {
  return `Kernels: GPU work${per === 'step' ? ' a step' : ''} over the ranks, the largest difference first`;
}

/** Returns what stands above the ranges of a job. */
export function rangesTitle({measure, per}: RangeMeasure): string {
  const figure = measure === 'gpuWork' ? 'GPU work' : 'CPU wall time';
  return `Ranges: ${figure}${per === 'step' ? ' a step' : ''} over the ranks, the largest difference first`;
}
