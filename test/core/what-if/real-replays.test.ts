import {beforeAll, describe, expect, it} from 'vitest';
import {median} from '../../../src/core/base/median.js';
import {dependencyKinds, type DependencyKind} from '../../../src/core/what-if/replay/replay-graph.js';
import {replayWindows} from '../../../src/core/what-if/replay/replay-windows.js';
import {simulate} from '../../../src/core/what-if/replay/simulate.js';
import {replayOf} from '../../../src/core/what-if/replay/trace-replay.js';
import {lengthsIn, whatIf, type WhatIfAnswer} from '../../../src/core/what-if/what-if.js';
import type {Trace} from '../../../src/core/trace/trace.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {dataFiles, hasData, noData} from '../../support/real-data.js';
import {skipTest} from '../../support/skip-test.js';

const folders = ['kineto', 'nsys', 'compare', 'critical-path', 'graphs', 'trust'];
const files = folders.flatMap(folder => [...dataFiles(folder, '.json.gz'), ...dataFiles(folder, '.sqlite')]);

/** Relative error of a trace's replay where some dependencies are left out. */
function errorWithout(trace: Trace, without: ReadonlySet<DependencyKind>): number {
  const replay = replayOf(trace);
  const windows = replayWindows(trace, replay, null);
  const measuredNs = median(windows.map(window => window.measuredNs));
  return Math.abs(median(lengthsIn(windows, simulate(replay.graph, {without}))) / measuredNs - 1);
}

describe('replays of real profiles', () => {
  const answers = new Map<string, WhatIfAnswer>();
  const errors = new Map<DependencyKind | 'none', number[]>();

  beforeAll(async () => {
    for (const {name, path} of files) {
      const trace = await openTrace(path);
      if (trace.gpuOperations.length === 0) continue;
      const answer = whatIf(trace, null);
      answers.set(name, answer);
      if (answer.errorPercent === null) continue;
      for (const kind of ['none', ...dependencyKinds] as const) {
        const error = errorWithout(trace, new Set(kind === 'none' ? [] : [kind]));
        errors.set(kind, [...(errors.get(kind) ?? []), error]);
      }
    }
  });

  it('reproduce the measured time within 1 % in the median, and within 3 % in 9 of 10', context => {
    if (!hasData) skipTest(context, noData);
    // A refusal counts against the figure.
    const percents = [...answers.values()].map(({errorPercent}) => Math.abs(errorPercent ?? Infinity));
    expect(percents.length).toBeGreaterThan(30);
    expect(median(percents)).toBeLessThan(1);
    expect(percents.filter(percent => percent <= 3).length / percents.length).toBeGreaterThanOrEqual(0.9);
  });

  it('reproduce it worse without any one kind of dependency', context => {
    if (!hasData) skipTest(context, noData);
    const mean = (kind: DependencyKind | 'none') => {
      const of = errors.get(kind) ?? [];
      return of.reduce((sum, error) => sum + Math.min(1, error), 0) / of.length;
    };
    const whole = mean('none');
    const worse = dependencyKinds.filter(kind => mean(kind) > 1.02 * whole);
    expect(worse).toEqual(dependencyKinds);
  });

  it('have critical paths that add up to the replayed step', context => {
    if (!hasData) skipTest(context, noData);
    for (const [name, {criticalPath, replayedNs}] of answers) {
      if (replayedNs === null) continue;
      const ns = criticalPath.reduce((sum, row) => sum + row.ns, 0);
      // The shown step is the nearest to the median.
      expect(Math.abs(ns / replayedNs - 1), name).toBeLessThan(0.02);
    }
  });
});
