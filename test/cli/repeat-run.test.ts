import {expect, it} from 'vitest';
import {UsageError} from '../../src/cli/command.js';
import {recordedRuns, runRepeatedly} from '../../src/cli/repeat-run.js';
import type {ProfileResult} from '../../src/launch/run/profile-result.js';

const result = (path: string, more: Partial<ProfileResult> = {}): ProfileResult => ({
  ...{profiles: [{path, kind: 'steps', steps: 3, rank: null}], status: 0, isCancelled: false},
  ...{sentences: [], notes: [], tail: [], ...more},
});

it('recordedRuns(options) is what --runs says, and one under nsys, whose own it is', () => {
  expect(recordedRuns({})).toBe(1);
  expect(recordedRuns({runs: '3'})).toBe(3);
  expect(recordedRuns({runs: '3', profiler: 'nsys'})).toBe(1);
  for (const runs of ['0', 'abc', '1.5', '101']) expect(() => recordedRuns({runs})).toThrow(UsageError);
});

it('runRepeatedly(runs, run) has the profiles of all runs', async () => {
  const {profiles, status} = await runRepeatedly(3, number => Promise.resolve(result(String(number))));
  expect({status, paths: profiles.map(({path}) => path)}).toEqual({status: 0, paths: ['1', '2', '3']});
});

it.each([{status: 1}, {isCancelled: true}])('stops at the first run that ends with %j', async more => {
  const found = await runRepeatedly(5, number => Promise.resolve(result(String(number), number === 2 ? more : {})));
  expect(found).toMatchObject(more);
  expect(found.profiles.map(({path}) => path)).toEqual(['1', '2']);
});
