import {expect, it} from 'vitest';
import {stepsOf} from '../../../src/core/scope/steps.js';
import type {Trace} from '../../../src/core/trace/trace.js';
import {pathAnswer} from '../../../src/core/what-if/recorded/path-answer.js';
import {pathAt, slackOf} from '../../../src/core/what-if/recorded/path-at.js';
import {pathSummary} from '../../../src/core/what-if/recorded/path-summary.js';
import {recordedPath} from '../../../src/core/what-if/recorded/recorded-path.js';
import {kineto} from '../../support/kineto-events.js';
import {traceOfEvents} from '../../support/trace-of-events.js';
import {trainingProgram} from '../../support/training-program.js';

/** What a path lies on, in µs: lane, from, to. */
function stretchesOf(trace: Trace): number[][] {
  const {length, lane, fromNs, toNs} = pathAt(trace, null).stretches;
  return Array.from({length}, (_, at) => [lane[at] ?? NaN, (fromNs[at] ?? NaN) / 1000, (toNs[at] ?? NaN) / 1000]);
}

it('pathAt(trace, atNs) lies on the innermost slice, on the one around two slices between them, and on nothing elsewhere', async () => {
  const trace = await traceOfEvents([
    ...[kineto.op('a', 0, 100), kineto.op('b', 10, 20), kineto.op('c', 50, 30)],
    kineto.op('d', 150, 30),
  ]);
  expect(stretchesOf(trace)).toEqual([
    ...[
      [0, 0, 10],
      [1, 10, 30],
      [0, 30, 50],
      [1, 50, 80],
      [0, 80, 100],
    ],
    [0, 150, 180],
  ]);
  expect(pathAt(trace, null)).toMatchObject({window: 'the whole profile', pathNs: 130_000});
});

it('pathAt(trace, atNs) takes the step that has begun, and the usual one for null and in front of all steps', async () => {
  const trace = await traceOfEvents(trainingProgram().events);
  const steps = stepsOf(trace);
  expect(steps.length).toBeGreaterThan(2);
  for (const {startNs, endNs, number} of steps) {
    expect(pathAt(trace, (startNs + endNs) / 2).window).toBe(`step ${String(number)}`);
  }
  const usual = pathAnswer(trace, null, null);
  expect(pathAt(trace, null)).toMatchObject({window: usual.window, pathNs: usual.pathNs});
  expect(pathAt(trace, -1).window).toBe(usual.window);
  expect(pathSummary(trace)).toEqual({
    ...{window: usual.window, windowNs: usual.windowNs, pathNs: usual.pathNs, shares: usual.shares},
  });
});

it('pathAt(trace, atNs) takes the step around one that has ended', async () => {
  const trace = await traceOfEvents([
    ...[
      kineto.range('step 1', 0, 100),
      kineto.range('step 10', 10, 20),
      kineto.op('a', 12, 10),
      kineto.op('b', 60, 30),
    ],
    kineto.range('step 2', 200, 50),
  ]);
  const windows = [20, 80, 150, 210].map(us => pathAt(trace, us * 1000).window);
  expect(windows).toEqual(['step 10', 'step 1', 'step 1', 'step 2']);
  const b = Array.from(trace.slices.name).findIndex(name => trace.strings.get(name) === 'b');
  expect(slackOf(trace, b)).not.toBeNull();
});

it('slackOf(trace, slice) is how much longer a slice could take: more than that makes the path longer', async () => {
  const trace = await traceOfEvents(trainingProgram().events);
  const step = stepsOf(trace)[1];
  if (!step) throw new RangeError('There is no second step.');
  const before = recordedPath(trace, {fromNs: step.startNs, toNs: step.endNs});
  const known = [...before.slackNs.keys()].filter(row => row >= 0);
  expect(known.length).toBeGreaterThan(5);
  for (const row of known) {
    const slack = slackOf(trace, row);
    expect(slack).toEqual({
      window: `step ${String(step.number)}`,
      slackNs: Math.round(before.slackNs.get(row) ?? NaN),
      isCritical: before.slices.includes(row),
    });
    if (slack?.isCritical) expect(slack.slackNs).toBe(0);
  }
  // The range of a step is none of what waits for each other, and there is no row beyond the last.
  expect(slackOf(trace, step.slice)).toBeNull();
  expect(slackOf(trace, trace.slices.length)).toBeNull();
  expect(slackOf(trace, -1)).toBeNull();
});
