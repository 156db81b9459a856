import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {crc32} from 'node:zlib';
import {afterAll, afterEach, beforeEach, describe, expect, it, vi} from 'vitest';
import {filesOfWorkspace} from '../../support/recorded-files.js';
import {closedNotebooks, settings, window, workspace} from '../../support/vscode-stand-in.js';
import {patience} from '../../support/patience.js';

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
  window.presses = undefined;
  window.picks = items => items[0];
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

  it('mean the one file that shares their end, with a folder in it', async () => {
    const {files} = await filesOfWorkspace(['/w/proj/model.py', '/w/data/utils.py', '/w/utils.py']);
    const profile = profileOf([model, '/home/other/proj/data/utils.py']);
    expect(files.pathOf(uriOf('/w/proj/model.py'), profile)).toBe(model);
    expect(files.pathOf(uriOf('/w/data/utils.py'), profile)).toBe('/home/other/proj/data/utils.py');
    expect(files.pathOf(uriOf('/w/utils.py'), profile)).toBeNull();
    expect(window.told).toEqual([]);
  });

  it('mean none that has but the name of theirs, until it is chosen', async () => {
    const {files} = await filesOfWorkspace(['/w/model.py']);
    const file = uriOf('/w/model.py');
    window.visibleTextEditors = [{document: {uri: file}}];
    expect(files.pathOf(file, profileOf([model]))).toBeNull();
    expect(window.told).toEqual([
      `"${model}" of the profile may be "/w/model.py", or a file of another project: its figures stand nowhere until you choose it.`,
    ]);
    window.presses = 'Choose File';
    const other = profileOf([model], '/w/other.json');
    files.pathOf(file, other);
    await vi.waitFor(() => expect(files.pathOf(file, other)).toBe(model), patience);
    expect(files.pathOf(file, profileOf([model]))).toBe(model);
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
    await vi.waitFor(() => expect(changed).toHaveBeenCalledTimes(1), patience);
    expect(files.pathOf(uriOf('/w/b/model.py'), profile)).toBe(model);
    expect(files.pathOf(uriOf('/w/a/model.py'), profile)).toBeNull();
    expect(window.told).toHaveLength(1);
  });

  it('are told of once, and asked about one after the other until one is not chosen', async () => {
    const {files} = await filesOfWorkspace(['/w/a/utils.py', '/w/b/utils.py', '/w/a/more.py', '/w/b/more.py']);
    const profile = profileOf(
      ['utils.py', 'more.py'].flatMap(name => Array.from({length: 200}, (_, at) => `/x/${String(at)}/${name}`)),
    );
    const asked: unknown[] = [];
    window.presses = 'Choose File';
    window.picks = items => (asked.push(items), asked.length < 3 ? items[0] : undefined);
    window.visibleTextEditors = ['/w/a/utils.py', '/w/a/more.py'].map(path => ({document: {uri: uriOf(path)}}));
    files.pathOf(uriOf('/w/a/utils.py'), profile);
    files.pathOf(uriOf('/w/a/more.py'), profile);
    await vi.waitFor(() => expect(asked).toHaveLength(3), patience);
    expect(window.told).toEqual([
      '"/x/0/utils.py" and other paths of the profile (200) may be several files of this workspace: their figures stand on none of them until you choose.',
    ]);
    files.pathOf(uriOf('/w/a/more.py'), profile);
    expect(window.told).toHaveLength(1);
  });

  it('are asked about anew once what was chosen is forgotten', async () => {
    const {files, paths} = await filesOfWorkspace(['/w/a/model.py', '/w/b/model.py']);
    const profile = profileOf([model]);
    const file = uriOf('/w/a/model.py');
    window.visibleTextEditors = [{document: {uri: file}}];
    window.presses = 'Choose File';
    files.pathOf(file, profile);
    await vi.waitFor(() => expect(files.pathOf(file, profile)).toBe(model), patience);
    window.presses = undefined;
    expect(await paths.forget()).toBe(1);
    expect(files.pathOf(file, profile)).toBeNull();
    expect(window.told).toHaveLength(2);
  });

  it('mean none where two of them fit one file as well', async () => {
    const {files} = await filesOfWorkspace(['/w/proj/model.py', '/w/other.py']);
    window.visibleTextEditors = [{document: {uri: uriOf('/w/other.py')}}];
    expect(files.pathOf(uriOf('/w/proj/model.py'), profileOf([model, '/tmp/proj/model.py']))).toBeNull();
    expect(files.pathOf(uriOf('/w/other.py'), profileOf(['/a/other.py', '/b/other.py']))).toBeNull();
    expect(window.told).toEqual([]);
  });

  it('are looked for once all files are known, and again when others come, not when one is saved', async () => {
    const {files, index, endReading} = await filesOfWorkspace(['/w/proj/model.py'], false);
    const profile = profileOf([model]);
    const changed = vi.fn();
    files.onDidChange(changed);
    expect(files.pathOf(uriOf('/w/proj/model.py'), profile)).toBeNull();
    endReading();
    expect(files.pathOf(uriOf('/w/proj/model.py'), profile)).toBe(model);
    expect(changed).toHaveBeenCalledTimes(1);
    index.set('/w/proj/model.py', {tags: [], modules: [], compiled: ['Net']});
    endReading();
    expect(changed).toHaveBeenCalledTimes(1);
    index.set('/w/other/proj/model.py', {tags: [], modules: [], compiled: []});
    endReading();
    expect(files.pathOf(uriOf('/w/proj/model.py'), profile)).toBeNull();
    expect(files.pathOf(uriOf('/w/other/proj/model.py'), profile)).toBe(model);
    index.delete('/w/other/proj/model.py');
    endReading();
    expect(files.pathOf(uriOf('/w/proj/model.py'), profile)).toBe(model);
    expect(changed).toHaveBeenCalledTimes(3);
  });

  it('mean files outside of the workspace where they are their whole paths, or lead there from the profile', async () => {
    const {files} = await filesOfWorkspace(['/w/model.py']);
    expect(files.pathOf(uriOf('/elsewhere/model.py'), profileOf([model]))).toBeNull();
    expect(files.pathOf(uriOf(model), profileOf([model]))).toBe(model);
    const found = (path: string, profile: string, recorded = 'x/y.py') =>
      files.pathIn([{file: recorded}, {}], uriOf(path), profileOf([], profile));
    expect(found('/elsewhere/x/y.py', '/w/p.json')).toBeNull();
    expect(found('/elsewhere/x/y.py', '/elsewhere/p.json')).toBe('x/y.py');
    expect(found('/elsewhere/x/y.py', '/elsewhere/.gpu-lens/runs/r/p.json')).toBe('x/y.py');
    expect(found('/elsewhere/x/y.py', '/elsewhere/runs/r/p.json')).toBeNull();
    expect(found('/elsewhere/x/y.py', '/elsewhere/z/p.json', '../x/y.py')).toBeNull();
  });
});

describe('paths of files that lie on the disk', () => {
  const root = mkdtempSync(join(tmpdir(), 'gpu-lens-paths-'));
  const write = (path: string, text = '') => {
    mkdirSync(join(root, path, '..'), {recursive: true});
    writeFileSync(join(root, path), text);
    return join(root, path);
  };
  beforeEach(() => {
    workspace.workspaceFolders = [{uri: uriOf(root)}];
  });
  afterAll(() => {
    rmSync(root, {recursive: true});
  });

  it('mean what the setting says, whatever shares their end; where it leads to no file, their end counts', async () => {
    settings.set('sourcePathMap', {'/job': 'x'});
    const [here, there, only] = [write('x/model.py'), write('job/model.py'), write('job/only.py')];
    const {files, paths, index} = await filesOfWorkspace([here, there, only]);
    const found = (path: string, recorded: string) => files.pathOf(uriOf(path), profileOf([recorded]));
    expect(found(here, '/job/model.py')).toBe('/job/model.py');
    expect(found(there, '/job/model.py')).toBeNull();
    expect(await paths.find('/job/model.py', index)).toBe(here);
    expect(found(only, '/job/only.py')).toBe('/job/only.py');
    expect(await paths.find('/job/only.py', index)).toBe(only);
  });

  it('mean the file of that name of which half of the lines ran', async () => {
    const lines = ['import torch', 'model = Net()', 'for step in range(9):', '    model(x)'];
    const same = write('same.py', lines.join('\n'));
    const edited = write('edited.py', `${lines.slice(2).join('\r\n')}\r\nmore()\r\neven_more()\r\n`);
    const other = write('other.py', 'import numpy\nprint(1)\n');
    const folder = write('other/train.py', 'import numpy\nprint(1)\n');
    const {files} = await filesOfWorkspace([same, edited, other, folder]);
    window.visibleTextEditors = [same, edited, other].map(path => ({document: {uri: uriOf(path)}}));
    const lineCrc32 = lines.map(line => crc32(line));
    const recordedAs = (path: string, recorded: string) =>
      files.pathOf(uriOf(path), {
        path: '/p.json',
        state: {sidecar: {sites: [], files: [{file: recorded, gitBlob: null, lineCrc32}]}},
      });
    expect(recordedAs(same, '/home/me/a/same.py')).toBe('/home/me/a/same.py');
    expect(recordedAs(edited, '/home/me/a/edited.py')).toBe('/home/me/a/edited.py');
    expect(recordedAs(other, '/home/me/a/other.py')).toBeNull();
    expect(window.told).toEqual([]);
    // A folder of the same name is worth a question.
    window.visibleTextEditors = [{document: {uri: uriOf(folder)}}];
    expect(recordedAs(folder, '/home/me/other/train.py')).toBeNull();
    expect(window.told).toEqual([expect.stringContaining('/home/me/other/train.py')]);
  });
});

it('a cell is known again when its notebook is opened again with other numbers, and once its text is what ran', async () => {
  const {files} = await filesOfWorkspace();
  const cell = (fragment: string, text: string) => ({
    uri: {path: '/w/a.ipynb', scheme: 'vscode-notebook-cell', fragment} as never,
    lineCount: 1,
    lineAt: () => ({text}),
  });
  const recorded = ['a = 1', 'b = 2'].map((text, at) => ({
    ...{file: `/tmp/ipykernel_1/${String(at)}.py`, gitBlob: null, lineCrc32: [crc32(text)]},
  }));
  const profile = {path: '/w/p.json', state: {sidecar: {sites: [], files: recorded}}};
  const show = (...texts: readonly string[]) => {
    const cells = texts.map((text, at) => cell(`W${String(at)}`, text));
    workspace.textDocuments = cells as never;
    return cells.map(({uri}) => files.pathOf(uri, profile));
  };
  expect(show('a = 1', 'c = 3')).toEqual(['/tmp/ipykernel_1/0.py', null]);
  expect(show('edited', 'b = 2')).toEqual(['/tmp/ipykernel_1/0.py', '/tmp/ipykernel_1/1.py']);
  closedNotebooks.fire({uri: {path: '/w/a.ipynb'}});
  expect(show('b = 2', 'a = 1')).toEqual(['/tmp/ipykernel_1/1.py', '/tmp/ipykernel_1/0.py']);
});
