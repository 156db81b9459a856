import {expect, it} from 'vitest';
import {TraceError} from '../../../src/core/base/errors.js';
import {fileOfTime, placeOfTime} from '../../../src/host/memory/memory-places.js';

const time = {profile: {path: '/run/a.json', state: {summary: {id: 4}}}, atNs: 70, device: 0} as never;

/** Snapshots that reach to the time, by what the engine reads of them. */
const engineOf = (reaching: readonly string[], profiles: readonly number[] = [4]) =>
  ({
    ask: (_: string, {snapshot, profile}: {snapshot: string; profile: number}) => {
      if (!profiles.includes(profile)) throw new TraceError('profile/not-open', 'That profile is no longer open.');
      return Promise.resolve(reaching.includes(snapshot) ? {device: 0, moment: 3} : null);
    },
  }) as never;

const open = (path: string) => ({path, readable: `readable ${path}`});

it('fileOfTime is the open snapshot that reaches there, that of the same folder first, else the profile', async () => {
  const all = ['/other/s.pickle', '/run/s.pickle', '/run/b.json'].map(open);
  const every = all.map(({readable}) => readable);
  expect(await fileOfTime(engineOf(every), all, time)).toBe('/run/s.pickle');
  expect(await fileOfTime(engineOf(['readable /other/s.pickle']), all, time)).toBe('/other/s.pickle');
  // Another profile is no snapshot: ranks of one job overlap in time.
  expect(await fileOfTime(engineOf(['readable /run/b.json']), all, time)).toBe('/run/a.json');
  expect(await fileOfTime(engineOf([]), [], time)).toBe('/run/a.json');
});

it('placeOfTime of a profile that was closed meanwhile is none, so that the snapshot is shown all the same', async () => {
  expect(await placeOfTime(engineOf(['s']), 's', time)).toEqual({device: 0, moment: 3});
  expect(await placeOfTime(engineOf(['s'], []), 's', time)).toBeNull();
  const broken = {ask: () => Promise.reject(new TraceError('file/missing', 's does not exist.'))} as never;
  await expect(placeOfTime(broken, 's', time)).rejects.toThrow('s does not exist.');
});
