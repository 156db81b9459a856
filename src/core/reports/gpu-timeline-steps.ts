import {stepOfOperations} from '../scope/step-scope.js';
import {stepsOf} from '../scope/steps.js';
import {hasNoGpuWork} from './empty-traces.js';
import {gpuTimeline, timelineCells, timelinesOfParts} from './gpu-timeline.js';
import type {ReportInput} from '../figures/report-input.js';
import type {ReportDefinition, ReportRows} from './report.js';
import {numberColumn} from './summary.js';

/** `gpu_timeline_steps`: the figures of `gpu_timeline` for each step. @see docs/metrics.md#gpu-timeline-steps */
export const gpuTimelineSteps: ReportDefinition = {
  ...gpuTimeline,
  id: 'gpu_timeline_steps',
  title: 'GPU Timeline by Step',
  about: 'GPU work in steps',
  tabs: [
    {
      id: 'gpu-timeline-steps',
      title: 'GPU time by step',
      row: 'step',
      after: 'step-breakdown',
      about: 'steps with GPU work',
      isEmpty: hasNoGpuWork,
    },
  ],
  columns: [
    numberColumn('Step', 'number of the step that launched the operations', {role: 'step'}),
    ...gpuTimeline.columns,
  ],
  rows: stepRows,
};

function stepRows(input: ReportInput): ReportRows {
  const steps = stepsOf(input.trace);
  const timelines = timelinesOfParts(input, stepOfOperations(input.trace, input.tables.launchSites));
  timelines.sort((a, b) => a.part - b.part || a.timeline.device - b.timeline.device);
  return {
    length: timelines.length,
    cells: row => {
      const {part, timeline} = timelines[row];
      return [steps[part].number, ...timelineCells(input, timeline)];
    },
  };
}
