import {expect, it, vi} from 'vitest';
import {EventEmitter} from '../../support/vscode-stand-in.js';

vi.mock('vscode', async () => {
  const standIn = await import('../../support/vscode-stand-in.js');
  return {...standIn, workspace: {...standIn.workspace, openTextDocument: (uri: unknown) => Promise.resolve({uri})}};
});
const {createApi} = await import('../../../src/host/api/create-api.js');

const timing = {
  ...{of: {fromNs: 0, toNs: 9}, steps: 0, count: 2, names: [{name: 'forward', count: 2, workNs: 5}]},
  ...{cpuWallNs: 7, gpuWorkNs: 3, backwardGpuWorkNs: 2, operations: 4, launches: 4, allWallNs: 9},
};
const patterns = [{parts: ['forward']}];

function api(found = timing) {
  const changes = new EventEmitter();
  const profile = (key: number) => ({key, path: `/w/${String(key)}.json`, name: `${String(key)}.json`});
  const store = {activeOpen: null as ReturnType<typeof profile> | null, onDidChange: changes.event};
  const shown: unknown[] = [];
  const services = {
    store,
    annotations: {of: () => Promise.resolve([{tag: {line: 22}, timing: found, patterns, isStale: true}])},
    openProfile: (path: string) => Promise.resolve(path === '/w/1.json'),
    showRange: (what: unknown) => Promise.resolve(void shown.push(what)),
  };
  const {exports} = createApi(services as never);
  const show = (key: number | null) => {
    store.activeOpen = key === null ? null : profile(key);
    changes.fire(undefined);
  };
  return {exports, one: exports.getApi(1), show, shown};
}
const train = {fsPath: '/w/train.py'} as never;

it('getApi(version) throws for a version that is not there', () => {
  expect(() => api().exports.getApi(2 as never)).toThrow('GPU Lens has version 1 of its API, not 2.');
});

it('onDidChangeActiveProfile tells each active profile once, and that none is left', () => {
  const {one, show} = api();
  const names: (string | null)[] = [];
  one.onDidChangeActiveProfile(profile => names.push(profile?.name ?? null));
  for (const key of [1, 1, 2, null]) show(key);
  expect(names).toEqual(['1.json', '2.json', null]);
  show(3);
  expect(one.activeProfile).toMatchObject({name: '3.json', uri: {fsPath: '/w/3.json'}});
});

it('figuresOfLine(file, line) counts lines from 0, and tells no more than the API says', async () => {
  const {one} = api();
  expect(await one.figuresOfLine(train, 22)).toBeNull();
  expect(await one.figuresOfLine(train, 21)).toEqual({
    ...{of: 'window', steps: 0, names: ['forward'], count: 2, cpuWallNs: 7, gpuWorkNs: 3},
    ...{backwardGpuWorkNs: 2, operations: 4, isStale: true},
  });
});

it('reveal(file, line) shows ranges that ran, and says where there are none', async () => {
  const ran = api();
  expect([await ran.one.reveal(train, 0), await ran.one.reveal(train, 21)]).toEqual([false, true]);
  expect(ran.shown).toEqual([patterns]);
  const never = api({...timing, count: 0});
  expect([await never.one.reveal(train, 21), never.shown]).toEqual([false, []]);
});
