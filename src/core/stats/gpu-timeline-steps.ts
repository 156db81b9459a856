import {stepsOf} from '../queries/steps.js';
import {gpuTimeline, timelineCells, timelinesOfParts} from './gpu-timeline.js';
import type {ReportDefinition, ReportInput, ReportRows} from './report.js';
import {numberColumn} from './summary.js';

/** `gpu_timeline_steps`: the figures of `gpu_timeline` for each step. @see docs/metrics.md#gpu-timeline-steps */
export const gpuTimelineSteps: ReportDefinition = {
  ...gpuTimeline,
  id: 'gpu_timeline_steps',
  title: 'GPU Timeline by Step',
  about: 'GPU work in steps',
  columns: [numberColumn('Step', 'number of the step that launched the operations'), ...gpuTimeline.columns],
  rows: stepRows,
};

function stepRows(input: ReportInput): ReportRows {
  const steps = stepsOf(input.trace);
  const timelines = timelinesOfParts(input, stepOfOperations(input));
  timelines.sort((a, b) => a.part - b.part || a.timeline.device - b.timeline.device);
  return {
    length: timelines.length,
    cells: row => {
      const {part, timeline} = timelines[row];
      return [steps[part].number, ...timelineCells(input, timeline)];
    },
  };
}

/**
 * Operation → the step (position in `stepsOf`) of its process that was open when it was launched, of several the last to
 * begin; without a call, when it started. -1 for none.
 */
export function stepOfOperations({trace, tables}: ReportInput): Int32Array {
  const {slices, gpuOperations} = trace;
  const {siteOf, slice} = tables.launchSites;
  const steps = stepsOf(trace);
  const stepOf = new Int32Array(gpuOperations.length).fill(-1);
  for (let operation = 0; operation < stepOf.length; operation++) {
    const site = siteOf[operation];
    const atNs = slices.startNs[site < 0 ? gpuOperations.slice[operation] : slice[site]];
    // The last step to begin by then: steps are in order of start.
    let low = 0;
    let high = steps.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (steps[middle].startNs <= atNs) low = middle + 1;
      else high = middle;
    }
    // Other processes' steps may lie between.
    let at = low - 1;
    while (at >= 0 && at > low - 1 - mostProcesses && steps[at].process !== gpuOperations.process[operation]) at--;
    const isFound = at >= 0 && steps[at].process === gpuOperations.process[operation] && atNs < steps[at].endNs;
    if (isFound) stepOf[operation] = at;
  }
  return stepOf;
}

/** Steps of so many other processes are passed over: a node has fewer. */
const mostProcesses = 256;
