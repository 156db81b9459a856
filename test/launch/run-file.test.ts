import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {isSameCode} from '../../src/launch/history/repeated-runs.js';
import {readRunFile, runFileName, writeRunFile, type RunFile} from '../../src/launch/history/run-file.js';
import {temporaryFolder} from '../support/project.js';

const run: RunFile = {
  ...{name: 'train', command: ['python', 'train.py'], cwd: '/w', began: '2026-01-01T00:00:00.000Z'},
  ...{process: {host: 'h', pid: 7}, ended: null, status: null, commit: 'a', dirty: null, batch: null},
  ...{recorded: 'pytorch auto', profiles: [{file: 'train.pt.trace.json.gz', kind: 'steps', steps: 3, rank: null}]},
};

describe('the file of a run', () => {
  it('is read as it was written', async () => {
    const folder = temporaryFolder();
    await writeRunFile(folder, run);
    expect(await readRunFile(folder)).toEqual(run);
  });

  it('has no secret of the command, neither written nor read', async () => {
    const folder = temporaryFolder();
    const command = ['python', 'train.py', '--token', 'hidden', '--lr=1'];
    await writeRunFile(folder, {...run, command});
    const path = join(folder, runFileName);
    expect(readFileSync(path, 'utf8')).not.toContain('hidden');
    writeFileSync(path, JSON.stringify({version: 1, ...run, command}));
    expect((await readRunFile(folder))?.command).toEqual(['python', 'train.py', '--token', '•••', '--lr=1']);
  });

  it.each([
    ['', null],
    ['{"name": 1}', null],
    [JSON.stringify({...run, began: 'then'}), null],
    [JSON.stringify({...run, profiles: [{file: '../../etc/passwd'}, {file: 'a.json'}]}), ['a.json']],
  ])('%# of another form is none, and names no file elsewhere', async (text, files) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, runFileName), text);
    const read = await readRunFile(folder);
    expect(read?.profiles.map(({file}) => file) ?? null).toEqual(files);
  });
});

it('isSameCode(one, other) needs the same commit, changes, folder and command, or one command line', () => {
  expect(isSameCode(run, {...run, began: '2026-02-01T00:00:00Z'})).toBe(true);
  const others = [
    ...[{commit: 'b'}, {dirty: 'x'}, {cwd: '/v'}, {command: ['python', 'eval.py']}],
    ...[{recorded: 'pytorch infer'}, {recorded: null}],
  ];
  for (const other of others) expect(isSameCode(run, {...run, ...other})).toBe(false);
  expect(isSameCode({...run, commit: null}, {...run, commit: null})).toBe(false);
  expect(isSameCode({...run, commit: null, batch: 'k'}, {...run, commit: null, batch: 'k'})).toBe(true);
});
