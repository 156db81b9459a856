// @vitest-environment jsdom
import {expect, it} from 'vitest';
import {jobFacts} from '../../src/core/job/job-report.js';
import {jobTimeline} from '../../src/core/job/job-timeline.js';
import {jobView} from '../../src/core/job/job-view.js';
import {timelineWindow} from '../../src/core/job/timeline-window.js';
import type {RooflineMark} from '../../src/core/questions/roofline-marks.js';
import {madeJob} from '../support/job-ranks.js';
import {completePage, settle} from '../support/page.js';

completePage();
// They need the page when they are read.
const {HeatMap} = await import('../../webview/job/heat-map.js');
const {TimelineSection} = await import('../../webview/job/timeline-section.js');
const {RooflineChart} = await import('../../webview/roofline/roofline-chart.js');
const {StepChart} = await import('../../webview/summary/step-chart.js');
const {readTheme} = await import('../../webview/shared/theme.js');

const nothing = () => undefined;

function heatMap(): HTMLElement {
  const map = new HeatMap(20, {chosen: nothing, open: nothing});
  const values = Float64Array.of(1, 2);
  const names = {label: 'Times', rowNoun: 'Rank', columnNoun: 'Step', rows: ['0'], columns: ['0', '1']};
  map.show({...names, values, format: String}, readTheme());
  return map.element;
}

async function timelineSection(): Promise<HTMLElement> {
  const facts = jobFacts(madeJob({ranks: 2, steps: 2, callsPerStep: 2, lateNs: () => 0, aheadNs: () => 0}));
  const view = jobView(facts);
  const timeline = jobTimeline(facts, view.report.ranks);
  const whole = {fromNs: timeline.fromNs, toNs: timeline.toNs};
  const section = new TimelineSection({
    ask: () => Promise.resolve(timelineWindow(timeline, whole, 800)),
    open: nothing,
    theme: readTheme,
    fail: nothing,
  });
  section.show({state: 'open', key: 1, name: 'job', view, timeline, shown: null});
  await settle();
  return section.element;
}

function rooflineChart(): HTMLElement {
  const chart = new RooflineChart({focused: nothing, open: nothing});
  for (const size of ['clientWidth', 'clientHeight']) Object.defineProperty(chart.element, size, {value: 600});
  const cost = {count: 1, matrixFlops: 1e12, vectorFlops: 0, bytes: 1e10, gpuWorkNs: 1e7, unknownGpuWorkNs: 0};
  const mark = {name: 'aten::mm', shape: null, precision: 'bf16', predictedNs: null, slice: 0, place: null} as const;
  chart.show([{...mark, ...cost, source: 'shapes'} satisfies RooflineMark], null);
  return chart.element;
}

function stepChart(): HTMLElement {
  const chart = new StepChart({chosen: nothing, open: nothing});
  const columns = [{firstNumber: 1, lastNumber: 1, lengthNs: 1e6, ns: []}];
  chart.show({columns, parts: []} as never, readTheme(), null);
  return chart.element;
}

it.each([
  {chart: 'the heat map', make: heatMap, key: 'ArrowRight'},
  {chart: 'the timeline of all ranks', make: timelineSection, key: '='},
  {chart: 'the roofline', make: rooflineChart, key: 'ArrowRight'},
  {chart: 'the chart of steps', make: stepChart, key: 'ArrowRight'},
])('$chart takes a key, and leaves it to the editor with Ctrl, Alt or Meta', async ({make, key}) => {
  const target = (await make()).querySelector('[role=tree]');
  const isTaken = (held: KeyboardEventInit) => {
    const event = new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true, ...held});
    target?.dispatchEvent(event);
    return event.defaultPrevented;
  };
  expect([{ctrlKey: true}, {altKey: true}, {metaKey: true}].map(isTaken)).toEqual([false, false, false]);
  expect([{}, {shiftKey: true}].map(isTaken)).toEqual([true, true]);
});
