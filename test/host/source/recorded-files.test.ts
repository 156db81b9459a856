import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';
import {filesOfWorkspace} from '../../support/recorded-files.js';
import {settings, window, workspace} from '../../support/vscode-stand-in.js';

vi.mock('vscode', () => import('../../support/vscode-stand-in.js'));

const uriOf = (path: string) => ({path, fsPath: path, scheme: 'file'}) as never;
const profileOf = (recorded: readonly string[], path = '/w/p.json') => {
  const sites = recorded.map(file => ({name: 'a', file, line: 1, count: 1}));
  return {path, state: {sidecar: {sites, files: []}}};
};

beforeEach(() => {
  workspace.workspaceFolders = [{uri: uriOf('/w')}];
  settings.clear();
  window.told.length = 0;
  window.visibleTextEditors = [];
});
afterEach(() => vi.restoreAllMocks());

it('in a workspace of several folders a recorded file is that of the folder that the profile lies in', async () => {
  const root = mkdtempSync(join(tmpdir(), 'gpu-lens-folders-'));
  try {
    for (const folder of ['one', 'two']) {
      mkdirSync(join(root, folder));
      writeFileSync(join(root, folder, 'train.py'), '');
    }
    writeFileSync(join(root, 'two', 'only.py'), '');
    workspace.workspaceFolders = [{uri: uriOf(join(root, 'one'))}, {uri: uriOf(join(root, 'two'))}];
    const {files} = await filesOfWorkspace();
    const pathsOf = (folder: string) => {
      const profile = profileOf(['train.py', 'only.py'], join(root, folder, '.gpu-lens', 'runs', 'r', 'x.json'));
      return ['one/train.py', 'two/train.py', 'two/only.py'].map(path =>
        files.pathOf(uriOf(join(root, path)), profile),
      );
    };
    expect(pathsOf('one')).toEqual(['train.py', null, 'only.py']);
    expect(pathsOf('two')).toEqual([null, 'train.py', 'only.py']);
    expect(pathsOf('elsewhere')).toEqual(['train.py', null, 'only.py']);
  } finally {
    rmSync(root, {recursive: true});
  }
});

describe('paths of another machine', () => {
  const model = '/home/other/proj/model.py';

  it('mean the one file that shares their end', async () => {
    const {files} = await filesOfWorkspace(['/w/model.py', '/w/data/utils.py', '/w/utils.py']);
    const profile = profileOf([model, '/home/other/proj/data/utils.py']);
    expect(files.pathOf(uriOf('/w/model.py'), profile)).toBe(model);
    expect(files.pathOf(uriOf('/w/data/utils.py'), profile)).toBe('/home/other/proj/data/utils.py');
    expect(files.pathOf(uriOf('/w/utils.py'), profile)).toBeNull();
    expect(window.told).toEqual([]);
  });

  it('mean no file where they are of an installed package, or of Python, and may be of ones that are written here', async () => {
    const {files} = await filesOfWorkspace(['/w/random.py', '/w/utils.py', '/w/src/mine/model.py']);
    const packages = '/opt/conda/lib/python3.11/site-packages';
    const recorded = ['/usr/lib/python3.11/random.py', `${packages}/torch/utils.py`, `${packages}/mine/model.py`];
    const found = ['/w/random.py', '/w/utils.py', '/w/src/mine/model.py'].map(path =>
      files.pathOf(uriOf(path), profileOf(recorded)),
    );
    expect(found).toEqual([null, null, `${packages}/mine/model.py`]);
  });

  it('mean what the setting says, whatever shares their end', async () => {
    settings.set('sourcePathMap', {'/home/other/proj': 'x'});
    const {files} = await filesOfWorkspace(['/w/x/model.py', '/w/proj/model.py']);
    expect(files.pathOf(uriOf('/w/x/model.py'), profileOf([model]))).toBe(model);
    expect(files.pathOf(uriOf('/w/proj/model.py'), profileOf([model]))).toBeNull();
  });

  it('mean none of several files until one is chosen, which is asked once, of what is in sight', async () => {
    const {files} = await filesOfWorkspace(['/w/a/model.py', '/w/b/model.py']);
    const profile = profileOf([model]);
    const found = () => ['/w/a/model.py', '/w/b/model.py'].map(path => files.pathOf(uriOf(path), profile));
    const changed = vi.fn();
    expect(found()).toEqual([null, null]);
    expect(window.told).toEqual([]);
    window.visibleTextEditors = [{document: {uri: uriOf('/w/b/model.py')}}];
    window.presses = 'Choose File';
    window.picks = items => items[1];
    files.onDidChange(changed);
    expect(files.pathOf(uriOf('/w/b/model.py'), profile)).toBeNull();
    expect(window.told).toEqual([
      `"${model}" of the profile may be any of 2 files of this workspace: its figures stand on none of them until you choose one.`,
    ]);
    await vi.waitFor(() => expect(changed).toHaveBeenCalledTimes(1));
    expect(files.pathOf(uriOf('/w/b/model.py'), profile)).toBe(model);
    expect(files.pathOf(uriOf('/w/a/model.py'), profile)).toBeNull();
    expect(window.told).toHaveLength(1);
  });

  it('mean none where two of them fit one file as well', async () => {
    const {files} = await filesOfWorkspace(['/w/model.py']);
    expect(files.pathOf(uriOf('/w/model.py'), profileOf([model, '/tmp/copy/model.py']))).toBeNull();
  });

  it('are looked for once all files are known, and again when they are others', async () => {
    const {files, index, endReading} = await filesOfWorkspace(['/w/model.py'], false);
    const profile = profileOf([model]);
    expect(files.pathOf(uriOf('/w/model.py'), profile)).toBeNull();
    endReading();
    expect(files.pathOf(uriOf('/w/model.py'), profile)).toBe(model);
    index.set('/w/proj/model.py', {tags: [], modules: [], compiled: []});
    endReading();
    expect(files.pathOf(uriOf('/w/model.py'), profile)).toBeNull();
    expect(files.pathOf(uriOf('/w/proj/model.py'), profile)).toBe(model);
  });

  it('mean files outside of the workspace by their whole text alone', async () => {
    const {files} = await filesOfWorkspace(['/w/model.py']);
    expect(files.pathOf(uriOf('/elsewhere/model.py'), profileOf([model]))).toBeNull();
    expect(files.pathOf(uriOf(model), profileOf([model]))).toBe(model);
    expect(files.pathIn([{file: 'x/y.py'}, {}], uriOf('/elsewhere/x/y.py'), profileOf([]))).toBe('x/y.py');
  });
});
