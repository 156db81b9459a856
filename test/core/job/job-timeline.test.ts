import {describe, expect, it} from 'vitest';
import type {JobRank} from '../../../src/core/job/job-rank.js';
import {jobFacts, reportOf} from '../../../src/core/job/job-report.js';
import {jobTimeline, type JobTimeline} from '../../../src/core/job/job-timeline.js';
import {mergedCalls, stepWindow, timelineWindow} from '../../../src/core/job/timeline-window.js';
import {madeJob} from '../../support/job-ranks.js';

function timelineOf(ranks: readonly JobRank[]): JobTimeline {
  const facts = jobFacts(ranks);
  return jobTimeline(facts, reportOf(facts).ranks);
}

/** Rank 2 is 20 ms late to each step's first call of three, clocks are ms apart, and one runs fast. */
const made = {
  ...{ranks: 4, steps: 10, callsPerStep: 3, lateNs: (rank: number) => (rank === 2 ? 20e6 : 0)},
  ...{aheadNs: (rank: number) => 256 * 7000 * rank, fastPpm: (rank: number) => (rank === 3 ? 20 : 0)},
};
const timeline = timelineOf(madeJob(made));

describe('the timeline of all ranks', () => {
  it('has the calls of all ranks by the true clock, whatever their own clocks say', () => {
    // The same job with one clock: its times are the true ones.
    const truth = timelineOf(madeJob({...made, aheadNs: () => 0, fastPpm: () => 0}));
    expect(timeline.calls.row).toHaveLength(4 * 30);
    const furthest = (a: Float64Array, b: Float64Array) =>
      Math.max(...a.map((ns, at) => Math.abs(ns - (b[at] ?? NaN))));
    expect(furthest(timeline.calls.startNs, truth.calls.startNs)).toBeLessThan(1000);
    expect(furthest(timeline.calls.endNs, truth.calls.endNs)).toBeLessThan(1000);
    expect(furthest(timeline.steps.endNs, truth.steps.endNs)).toBeLessThan(1000);
  });

  it('joins the parts of a call, which end together, and divides each into waiting and transfer', () => {
    const {calls, kinds} = timeline;
    const parts = [...calls.call.keys()].filter(at => calls.call[at] === calls.call[0]);
    expect(parts.map(at => calls.row[at])).toEqual([0, 1, 2, 3]);
    expect(kinds).toEqual(['all_reduce · group 0']);
    const ends = parts.map(at => calls.endNs[at] ?? NaN);
    expect(Math.max(...ends) - Math.min(...ends)).toBeLessThan(1000);
    // The late rank waits for nobody, the others for its 20 ms; ranks come within 5 µs of each other.
    expect(parts.map(at => Math.round((calls.waitNs[at] ?? NaN) / 1e5))).toEqual([200, 200, 0, 200]);
  });

  it('names a call that one rank alone has as that', () => {
    const [first, second] = madeJob({ranks: 2, steps: 1, callsPerStep: 2});
    if (!first || !second) throw new Error('two ranks');
    const {calls} = timelineOf([first, {...second, calls: second.calls.slice(0, 1)}]);
    expect([...calls.call]).toEqual([0, -1, 0]);
  });

  it('gives calls that overlap on a rank lanes of their own', () => {
    const [first, second] = madeJob({ranks: 2, steps: 1, callsPerStep: 2});
    const [early, late] = first?.calls ?? [];
    if (!first || !second || !early || !late) throw new Error('two calls');
    const {calls, lanes} = timelineOf([{...first, calls: [{...early, endNs: late.endNs}, late]}, second]);
    expect([...calls.lane]).toEqual([0, 1, 0, 0]);
    expect(lanes).toBe(2);
  });

  it('begins where recordings begin if clocks tell no time of day and no call aligns them', () => {
    const ranks = madeJob({ranks: 2, steps: 2, callsPerStep: 1}).map(rank => ({
      ...{...rank, calls: [], isTimeOfDay: false, originNs: BigInt(rank.rank) * 10n ** 18n},
    }));
    const {steps, fromNs, toNs} = timelineOf(ranks);
    expect([...steps.startNs]).toEqual([0, 100e6, 0, 100e6]);
    expect([fromNs, toNs]).toEqual([0, 200e6]);
  });

  it('of ranks without steps and calls is empty, and has a width', () => {
    const ranks = madeJob({ranks: 2, steps: 0, callsPerStep: 0});
    const {fromNs, toNs, calls} = timelineOf(ranks);
    expect([calls.row.length, toNs > fromNs]).toEqual([0, true]);
  });
});

describe('a window of it', () => {
  it('has the marks that lie in it, with all of them where there is room', () => {
    const whole = timelineWindow(timeline, timeline, 1e6);
    expect(whole.calls).toEqual(timeline.calls);
    expect(whole.steps).toEqual(timeline.steps);
    const step = stepWindow(timeline, 4);
    if (!step) throw new Error('step 4');
    const {calls} = timelineWindow(timeline, step, 1e6);
    expect([...calls.row]).toEqual([0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]);
    expect([...calls.startNs].every(ns => ns >= step.fromNs && ns <= step.toNs)).toBe(true);
    expect(stepWindow(timeline, 77)).toBeNull();
  });

  it('merges what is too narrow to be told apart, and loses no waiting', () => {
    const {calls} = timelineWindow(timeline, timeline, 2);
    expect(calls.row.length).toBeLessThan(timeline.calls.row.length);
    expect(calls.call).toContain(mergedCalls);
    const waited = (ns: Float64Array) => ns.reduce((sum, one) => sum + one, 0);
    expect(waited(calls.waitNs)).toBeCloseTo(waited(timeline.calls.waitNs), 3);
    expect([...new Set(calls.row)]).toEqual([0, 1, 2, 3]);
  });
});
