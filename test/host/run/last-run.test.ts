import {expect, it, vi} from 'vitest';

vi.mock('vscode', () => import('../../support/vscode-stand-in.js'));
const {LastRun} = await import('../../../src/host/run/last-run.js');

/** What VS Code keeps for a workspace, which an older version, or a person, may have written. */
function memento(kept: Readonly<Record<string, unknown>> = {}) {
  const state = new Map(Object.entries(kept));
  return {
    keys: () => [...state.keys()],
    get: (key: string) => state.get(key),
    update: (key: string, value: unknown) => {
      // As JSON, which is how it is kept.
      state.set(key, JSON.parse(JSON.stringify(value)));
      return Promise.resolve();
    },
  } as never;
}

const definition = {type: 'gpu-lens', script: 'train.py', args: ['--lr', '3'], prewarm: 0} as const;
const origin = {from: 'launch configuration', name: 'Train', digest: 'd', file: null} as const;
const plan = {definition, folder: undefined, preLaunchTask: 'make data', origin};
const same = <Plan>(one: Plan) => Promise.resolve(one);
const profile = {path: '/w/train.json', kind: 'steps', steps: 3, rank: null};

it('LastRun gives back what was run last, and what recorded a profile, with the task before it', async () => {
  const lastRun = new LastRun(memento());
  expect([lastRun.plan, lastRun.planOf('/w/train.json'), lastRun.choices(same)]).toEqual([null, null, []]);
  await lastRun.keep(plan);
  await lastRun.remember([profile], {...plan, preLaunchTask: null});
  expect(lastRun.plan).toEqual(plan);
  expect(lastRun.planOf('/w/train.json')).toEqual(plan);
  expect(lastRun.planOf('/w/other.json')).toBeNull();
  expect(lastRun.choices(same)).toMatchObject([{label: '$(debug-restart) Again: train.py', description: '--lr 3'}]);
});

it('LastRun knows the last runs alone, and none that recorded nothing', async () => {
  const lastRun = new LastRun(memento());
  await lastRun.remember([], plan);
  for (let run = 0; run < 31; run++) await lastRun.remember([{...profile, path: String(run)}], plan);
  expect([lastRun.planOf('0'), lastRun.planOf('1')?.definition]).toEqual([null, definition]);
});

it.each([
  [{lastRun: 7, runsOfProfiles: 'x'}, null],
  [{lastRun: null, runsOfProfiles: [null, 3, [], {profiles: 'p'}]}, null],
  [{lastRun: ['x'], runsOfProfiles: {}}, null],
  [{lastRun: {definition: 3, folder: 4, preLaunchTask: 5, origin: {from: 'task'}}}, {type: 'gpu-lens'}],
])('LastRun of a state %j that nobody wrote is no failure', (kept, expected) => {
  const lastRun = new LastRun(memento(kept));
  expect(lastRun.plan?.definition ?? null).toEqual(expected);
  expect(lastRun.planOf('p')).toBeNull();
});
