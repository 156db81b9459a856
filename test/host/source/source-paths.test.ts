import {expect, it, vi} from 'vitest';
import {SourceIndex} from '../../../src/core/source/source-index.js';
import {settings} from '../../support/vscode-stand-in.js';

vi.mock('vscode', () => import('../../support/vscode-stand-in.js'));
const {SourcePaths} = await import('../../../src/host/source/source-paths.js');

const index = new SourceIndex();
for (const path of ['/w/a/x.py', '/w/b/x.py']) index.set(path, {tags: [], modules: [], compiled: []});

function pathsWith(kept: unknown) {
  let memory: unknown = kept;
  const update = (_: string, value: unknown) => Promise.resolve((memory = value));
  return {paths: new SourcePaths({get: () => memory, update} as never), memory: () => memory};
}

it('of the paths for which a file was chosen the last five hundred are remembered', async () => {
  const {paths, memory} = pathsWith(undefined);
  for (let at = 0; at < 501; at++) await paths.ask(`/r/${String(at)}/x.py`, ['/w/a/x.py', '/w/b/x.py']);
  expect(Object.keys(memory() as object)).toHaveLength(500);
  expect(paths.chosen('/r/0/x.py')).toBeNull();
  expect(paths.fitting('/r/500/x.py', index)).toEqual(['/w/a/x.py']);
  expect(await paths.forget()).toBe(500);
  expect(memory()).toBeUndefined();
  expect(paths.fitting('/r/500/x.py', index)).toEqual(['/w/a/x.py', '/w/b/x.py']);
});

it('what is kept may be anything, and a file that is gone is chosen no more', () => {
  expect(pathsWith(['/w/a/x.py', 1]).paths.chosen('constructor')).toBeNull();
  expect(pathsWith({'/r/x.py': 1}).paths.chosen('/r/x.py')).toBeNull();
  expect(pathsWith({'/r/x.py': '/w/gone/x.py'}).paths.fitting('/r/x.py', index)).toHaveLength(2);
});

it('the setting is read once for all paths', () => {
  settings.set('sourcePathMap', {'/r': 'x'});
  const get = vi.spyOn(settings, 'get');
  const {paths} = pathsWith(undefined);
  for (let at = 0; at < 100; at++) paths.mappedPlace(`/r/${String(at)}.py`);
  expect(get.mock.calls.filter(([key]) => key === 'sourcePathMap')).toHaveLength(1);
});
