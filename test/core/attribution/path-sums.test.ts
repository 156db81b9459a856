import {expect, it} from 'vitest';
import {condensed} from '../../../src/core/attribution/condensed.js';
import {mostPaths, pathsOfRanges} from '../../../src/core/attribution/path-sums.js';
import {rangeRows} from '../../../src/core/figures/range-rows.js';
import {attributionOf} from '../../../src/core/scope/attribution-of.js';
import {kineto} from '../../support/kineto-events.js';
import {traceOfEvents} from '../../support/trace-of-events.js';

/** A step that holds so many ranges of different names, each 2 µs long and twice there. */
function traceOf(names: number) {
  const events = [kineto.range('step', 0, 10 * names)];
  for (let name = 0; name < names; name++) {
    for (const half of [0, 1]) events.push(kineto.range(`r${String(name)}`, 10 * name + 5 * half, 2));
  }
  return traceOfEvents(events);
}

it.each([0, 1])('figures are the same at the most paths that have a number, and %i beyond', async beyond => {
  const names = mostPaths - 1 + beyond;
  const trace = await traceOf(names);
  const attribution = attributionOf(trace);
  expect(pathsOfRanges(trace, attribution.ranges)?.paths.length ?? null).toBe(beyond === 0 ? mostPaths : null);
  expect(condensed(trace, attribution) === null).toBe(beyond > 0);
  const rows = rangeRows(trace, 'path').filter(({count}) => count > 0);
  expect(rows).toHaveLength(names + 1);
  const of = (path: string) => rows.find(row => row.path === path);
  expect(of('step')).toMatchObject({count: 1, cpuWallNs: 10_000 * names, cpuSelfNs: 6000 * names});
  for (const name of [0, names - 1])
    expect(of(`step/r${String(name)}`)).toMatchObject({count: 2, cpuWallNs: 4000, cpuSelfNs: 4000});
});
