import {afterEach, expect, it, vi} from 'vitest';
import {noScopes} from '../../support/scopes-stand-in.js';
import {EventEmitter, workspace} from '../../support/vscode-stand-in.js';

vi.mock('vscode', () => import('../../support/vscode-stand-in.js'));
const {FileBadges} = await import('../../../src/host/hot-ranges/file-badges.js');

const site = (name: string, file: string) => ({name, file, line: 1, count: 1});
const timing = {isGpuProfile: true, gpuWorkNs: 300, backwardGpuWorkNs: 200, allGpuWorkNs: 1000};

/** Badges of a profile, with an engine that fails as often as is said. */
function badges(failures = 0) {
  const sites = [site('a', 'train.py'), site('b', 'other/train.py'), site('c', 'train.py'), site('a', 'train.py')];
  const profile = {key: 1, state: {kind: 'open', summary: {id: 1}, sidecar: {sites, files: []}}};
  const asked: unknown[] = [];
  const engine = {
    ask: (_: string, {patterns}: {patterns: unknown[]}) => {
      asked.push(patterns);
      if (asked.length <= failures) return Promise.reject(new Error('no engine'));
      return Promise.resolve(patterns.map((__, at) => ({...timing, gpuWorkNs: at === 0 ? 300 : 0})));
    },
  };
  const store = {activeOpen: profile, onDidChange: new EventEmitter().event};
  const made = new (FileBadges as new (...all: unknown[]) => InstanceType<typeof FileBadges>)(store, noScopes, engine, {
    warn: () => undefined,
  });
  const badgeOf = async (path: string) =>
    (await made.provideFileDecoration({scheme: 'file', path, fsPath: path} as never))?.badge;
  return {badgeOf, asked};
}

afterEach(() => vi.restoreAllMocks());

it('has a badge on each file that opened ranges, from one question', async () => {
  const {badgeOf, asked} = badges();
  const paths = ['/w/train.py', '/w/other/train.py', '/w/model.py'];
  expect(await Promise.all(paths.map(badgeOf))).toEqual(['50', '20', undefined]);
  expect(asked).toEqual([[[['a'], ['c']], [['b']]]]);
});

it('asks nothing for files without ranges, nor while marks are off', async () => {
  const {badgeOf, asked} = badges();
  await badgeOf('/w/model.py');
  vi.spyOn(workspace, 'getConfiguration').mockReturnValue({get: () => false});
  await badgeOf('/w/train.py');
  expect(asked).toEqual([]);
});

it('asks again after a failure', async () => {
  const {badgeOf} = badges(1);
  expect(await badgeOf('/w/train.py')).toBeUndefined();
  expect(await badgeOf('/w/train.py')).toBe('50');
});
