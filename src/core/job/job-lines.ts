import {say} from '../base/say.js';
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
      ? say(
          'Clocks are aligned by collectives that end together, to {0} (median distance on the worst rank).',
          formatDuration(residualNs),
        )
      : notes.some(({code}) => code === 'job/one-clock')
        ? say('All ranks were recorded by one clock.')
        : say('Not all clocks could be aligned by collectives.');
  const notJudged = notes.find(({code}) => code === 'job/not-judged');
  const held =
    culprit === null
      ? [notJudged?.text ?? say('No rank holds the others up, beyond noise.')]
      : [say('Rank {0} holds the others up.', culprit.rank), ...culprit.evidence.map(({text}) => `  ${text}`)];
  const others = notes.filter(note => note !== notJudged);
  return [...held, ...(ranks.length > 1 ? [clocks] : []), ...others.map(({text}) => say('Note: {0}', text))];
}

/** Returns the title of a job's kernel table. */
export function kernelsTitle({per}: RangeMeasure): string {
  return per === 'step'
    ? say('Kernels: GPU work a step over the ranks, the largest difference first')
    : say('Kernels: GPU work over the ranks, the largest difference first');
}

/** Returns the title of a job's range table. */
export function rangesTitle({measure, per}: RangeMeasure): string {
  return say(
    per === 'step'
      ? 'Ranges: {0} a step over the ranks, the largest difference first'
      : 'Ranges: {0} over the ranks, the largest difference first',
    workText(measure),
  );
}

/** Returns the title of a job's table of experts. */
export function expertsTitle({measure}: RangeMeasure): string {
  return say('Experts: {0} by layer, the worst balanced first', workText(measure));
}

/** Returns the name of a job's figure of work: its GPU's, or the CPU's if no rank has GPU work. */
export function workText(measure: RangeMeasure['measure']): string {
  return measure === 'gpuWork' ? say('GPU work') : say('CPU wall time');
}
