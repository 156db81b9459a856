import {expect, it} from 'vitest';
import {launchOperators} from '../../../src/core/flame/launch-operators.js';
import {foldName} from '../../../src/core/names/operator-name.js';
import {attributionOf} from '../../../src/core/scope/attribution-of.js';
import {kindIndex} from '../../../src/core/trace/slices.js';
import {randomTrace} from '../../support/random-trace.js';

it('launchOperators(trace, sites) has the names and the longest of the operators around each launch', () => {
  let found = 0;
  for (let seed = 0; seed < 20; seed++) {
    const trace = randomTrace(seed);
    const {slices, strings} = trace;
    const {slice: sites} = attributionOf(trace).sites;
    const operators = launchOperators(trace, sites);
    const endNs = (row: number) => (slices.startNs[row] ?? NaN) + (slices.durationNs[row] ?? NaN);
    sites.forEach((row, site) => {
      // All pairs, by the definition: closed bounds, in the order of the start.
      const around = Array.from({length: slices.length}, (_, other) => other).filter(
        other =>
          slices.kind[other] === kindIndex.cpu_op &&
          slices.track[other] === slices.track[row] &&
          (slices.startNs[other] ?? NaN) <= (slices.startNs[row] ?? NaN) &&
          endNs(other) >= endNs(row),
      );
      const names: string[] = [];
      for (let path = operators.path[site] ?? -1; path >= 0; path = operators.paths[path]?.parent ?? -1) {
        names.unshift(operators.paths[path]?.name ?? '');
      }
      expect(names).toEqual(around.map(other => foldName(strings.get(slices.name[other] ?? 0))));
      expect(operators.longestNs[site]).toBe(Math.max(0, ...around.map(other => slices.durationNs[other] ?? NaN)));
      found += names.length;
    });
    const paths = operators.paths.map(({name, parent}) => `${String(parent)} ${name}`);
    expect(new Set(paths).size).toBe(paths.length);
  }
  expect(found).toBeGreaterThan(50);
});
