import {expect, it, vi} from 'vitest';

vi.mock('vscode', () => import('../../support/vscode-stand-in.js'));
const {ProfileScopes} = await import('../../../src/host/profiles/profile-scopes.js');

/** What a workspace keeps. */
function memoryOf(kept: unknown) {
  let value = kept;
  return {
    get: () => value,
    update: (_: string, next: unknown) => {
      value = next;
      return Promise.resolve();
    },
  };
}

const profile = (path: string, stamp = '1') => ({path, stamp, state: {summary: {info: {spanNs: 1000}}}}) as never;
const scopesIn = (memory: ReturnType<typeof memoryOf>) => new ProfileScopes(memory as never);

it('scopes are of one profile each, and tell when one has changed', () => {
  const scopes = scopesIn(memoryOf(undefined));
  let changes = 0;
  scopes.onDidChange(() => changes++);
  scopes.set(profile('a'), {fromNs: 10, toNs: 20});
  expect([scopes.of(profile('a')), scopes.of(profile('b')), scopes.of(null), changes]).toEqual([
    {fromNs: 10, toNs: 20},
    null,
    null,
    1,
  ]);
  scopes.set(profile('a'), null);
  expect([scopes.of(profile('a')), changes]).toEqual([null, 2]);
});

it('a scope is whole ns inside the profile; what is no window of it is none', () => {
  const scopes = scopesIn(memoryOf(undefined));
  scopes.set(profile('a'), {fromNs: -3.4, toNs: 2000.7});
  expect(scopes.of(profile('a'))).toEqual({fromNs: 0, toNs: 1000});
  for (const window of [
    {fromNs: 5, toNs: 5},
    {fromNs: 9, toNs: 3},
    {fromNs: 1500, toNs: 1600},
    {fromNs: NaN, toNs: 3},
  ]) {
    scopes.set(profile('a'), window);
    expect(scopes.of(profile('a'))).toBeNull();
  }
});

it('scopes are there again in another window of the workspace, but not of a file that was written anew', () => {
  const memory = memoryOf(undefined);
  scopesIn(memory).set(profile('a'), {fromNs: 10, toNs: 20});
  const again = scopesIn(memory);
  expect(again.of(profile('a'))).toEqual({fromNs: 10, toNs: 20});
  expect(again.of(profile('a', '2'))).toBeNull();
});

it('the scopes of the last twenty profiles are kept', () => {
  const memory = memoryOf(undefined);
  const scopes = scopesIn(memory);
  for (let at = 0; at < 25; at++) scopes.set(profile(String(at)), {fromNs: at, toNs: 100});
  const again = scopesIn(memory);
  expect([4, 5, 24].map(at => again.of(profile(String(at)))?.fromNs)).toEqual([undefined, 5, 24]);
});

it.each([null, 7, 'x', {}, [7], [['a', 1]], [['a', 2, 1]], [['a', '1', '2']], [[1, 1, 2]]])(
  'what was kept as %j by another version is no scope',
  kept => {
    expect(scopesIn(memoryOf(kept)).of(profile('a'))).toBeNull();
  },
);
