import {afterEach, expect, it, vi} from 'vitest';
import {SourceIndex} from '../../../src/core/source/source-index.js';
import {noScopes} from '../../support/scopes-stand-in.js';
import {filesOfWorkspace} from '../../support/recorded-files.js';
import {EventEmitter, workspace} from '../../support/vscode-stand-in.js';

vi.mock('vscode', () => import('../../support/vscode-stand-in.js'));
const {FileBadges} = await import('../../../src/host/hot-ranges/file-badges.js');

const {files} = await filesOfWorkspace();

const site = (name: string, file: string) => ({name, file, line: 1, count: 1});
const timing = {isGpuProfile: true, gpuWorkNs: 300, backwardGpuWorkNs: 200, allGpuWorkNs: 1000};

/** Badges of a profile, with an engine that fails as often as is said. */
function badges(failures = 0, index: SourceIndex | null = null) {
  const sites = [site('a', 'train.py'), site('b', 'other/train.py'), site('c', 'train.py'), site('a', 'train.py')];
  const profile = {
    key: 1,
    path: '/w/p.json',
    state: {kind: 'open', summary: {id: 1}, sidecar: index ? null : {sites, files: []}},
  };
  const asked: unknown[] = [];
  const engine = {
    ask: (_: string, {patterns}: {patterns: unknown[]}) => {
      asked.push(patterns);
      if (asked.length <= failures) return Promise.reject(new Error('no engine'));
      return Promise.resolve(patterns.map((__, at) => ({...timing, nameCount: 1, gpuWorkNs: at === 0 ? 300 : 0})));
    },
  };
  const store = {activeOpen: profile, onDidChange: new EventEmitter().event};
  const read = new EventEmitter();
  const workspaceIndex = {whenRead: () => Promise.resolve(index), onDidChange: read.event};
  const parts = [store, noScopes, engine, workspaceIndex, files, {warn: () => undefined}];
  const made = new (FileBadges as new (...all: unknown[]) => InstanceType<typeof FileBadges>)(...parts);
  const badgeOf = async (path: string) =>
    (await made.provideFileDecoration({scheme: 'file', path, fsPath: path} as never))?.badge;
  return {badgeOf, asked, made, read, store};
}

afterEach(() => vi.restoreAllMocks());

it('has a badge on each file that opened ranges, from one question', async () => {
  const {badgeOf, asked} = badges();
  const paths = ['/w/train.py', '/w/other/train.py', '/w/model.py'];
  expect(await Promise.all(paths.map(badgeOf))).toEqual(['█', '▆', undefined]);
  expect(asked).toEqual([[[['a'], ['c']], [['b']]]]);
});

it('asks nothing for files without ranges, nor while marks are off', async () => {
  const {badgeOf, asked} = badges();
  await badgeOf('/w/model.py');
  vi.spyOn(workspace, 'getConfiguration').mockReturnValue({get: () => false});
  await badgeOf('/w/train.py');
  expect(asked).toEqual([]);
});

it('has none on what is no file, nor of a profile that another one has taken the place of meanwhile', async () => {
  const {badgeOf, made, store} = badges();
  const untitled = {scheme: 'git', path: '/w/train.py', fsPath: '/w/train.py'};
  expect(await made.provideFileDecoration(untitled as never)).toBeUndefined();
  const badge = badgeOf('/w/train.py');
  store.activeOpen = {...store.activeOpen, key: 2};
  expect(await badge).toBeUndefined();
});

it('asks again after a failure', async () => {
  const {badgeOf} = badges(1);
  expect(await badgeOf('/w/train.py')).toBeUndefined();
  expect(await badgeOf('/w/train.py')).toBe('█');
});

it('goes by the tags that stand in a file where no runner saw which file opened what', async () => {
  const index = new SourceIndex();
  const tag = (pattern: readonly string[] | null) => ({pattern, line: 1, endLine: 2}) as never;
  index.set('/w/train.py', {tags: [tag(['a']), tag(['layer_', '']), tag(['a']), tag(null)], modules: [], compiled: []});
  index.set('/w/plain.py', {tags: [tag(null)], modules: [], compiled: []});
  const {badgeOf, asked, made, read} = badges(1, index);
  expect(await badgeOf('/w/train.py')).toBeUndefined();
  expect(await badgeOf('/w/train.py')).toBe('█');
  expect(await badgeOf('/w/train.py')).toBe('█');
  expect(await badgeOf('/w/plain.py')).toBeUndefined();
  expect(asked).toEqual([[[['a'], ['layer_', '']]], [[['a'], ['layer_', '']]]]);
  vi.useFakeTimers();
  const changed = vi.fn();
  made.onDidChangeFileDecorations(changed);
  read.fire(undefined);
  read.fire(undefined);
  vi.runAllTimers();
  vi.useRealTimers();
  expect(changed).toHaveBeenCalledTimes(1);
});
