import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, expect, it, vi} from 'vitest';
import {workspace} from '../../support/vscode-stand-in.js';

vi.mock('vscode', () => import('../../support/vscode-stand-in.js'));
const {recordedPathOf} = await import('../../../src/host/source/recorded-files.js');

const root = mkdtempSync(join(tmpdir(), 'gpu-lens-folders-'));
afterAll(() => {
  rmSync(root, {recursive: true});
});

it('in a workspace of several folders a recorded file is that of the folder that the profile lies in', () => {
  for (const folder of ['one', 'two']) {
    mkdirSync(join(root, folder));
    writeFileSync(join(root, folder, 'train.py'), '');
  }
  writeFileSync(join(root, 'two', 'only.py'), '');
  const uriOf = (...parts: string[]) => {
    const path = join(root, ...parts);
    return {path, fsPath: path, scheme: 'file'};
  };
  workspace.workspaceFolders = [{uri: uriOf('one')}, {uri: uriOf('two')}];
  const pathsOf = (folder: string) => {
    const site = (file: string) => ({name: 'a', file, line: 1, count: 1});
    const sidecar = {sites: [site('train.py'), site('only.py')], files: []};
    const profile = {path: join(root, folder, '.gpu-lens', 'runs', 'r', 'train.pt.trace.json'), state: {sidecar}};
    const places = [
      ['one', 'train.py'],
      ['two', 'train.py'],
      ['two', 'only.py'],
    ] as const;
    return places.map(parts => recordedPathOf(uriOf(...parts) as never, profile));
  };
  expect(pathsOf('one')).toEqual(['train.py', null, 'only.py']);
  expect(pathsOf('two')).toEqual([null, 'train.py', 'only.py']);
  expect(pathsOf('elsewhere')).toEqual(['train.py', null, 'only.py']);
});
