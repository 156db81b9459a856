import {join} from 'node:path';
import {writeFileSync} from 'node:fs';
import {gzipSync} from 'node:zlib';
import {describe, expect, it} from 'vitest';
import {recogniseFile} from '../../src/importers/recognise-file.js';
import {itEachFile} from '../support/each-file.js';
import {kineto, kinetoText} from '../support/kineto-events.js';
import {project, temporaryFolder} from '../support/project.js';
import {dataFiles, hasData} from '../support/real-data.js';
import {rocprofText} from '../support/rocprof-records.js';
import Database from 'better-sqlite3';

const folder = temporaryFolder();
const sample = join(project, 'media', 'sample', 'profile', 'train.pt.trace.json.gz');

function written(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

function database(name: string, sql: string): string {
  const path = join(folder, name);
  new Database(path).exec(sql).close();
  return path;
}

const trace = kinetoText([kineto.range('step', 0, 100)]);
const printed = [
  'epoch 1, loss 0.3',
  '| Name | Self CPU % | Self CPU | CPU total % | CPU total | CPU time avg | # of Calls |',
  '| --- | --- | --- | --- | --- | --- | --- |',
  '| aten::mm | 50.00% | 1.000ms | 50.00% | 1.000ms | 1.000ms | 1 |',
].join('\n');

describe('recogniseFile(path)', () => {
  it.each<[string, () => string, string | null]>([
    ['a trace of PyTorch', () => written('a.json', trace), 'kineto'],
    ['a packed one', () => written('a.json.gz', gzipSync(trace)), 'kineto'],
    ['the sample', () => sample, 'kineto'],
    ['a list of events', () => written('list.json', '[{"ph": "X", "name": "a", "ts": 1, "dur": 2}]'), 'kineto'],
    ['a profile of rocprofv3', () => written('r.json', rocprofText()), 'rocprof'],
    [
      'an export of nsys',
      () => database('n.sqlite', 'create table StringIds (id integer)'.replace('create table', 'CREATE TABLE')),
      'nsys',
    ],
    ['a log with a table of ours', () => written('run.log', printed), 'text'],
    [
      'a table behind a megabyte of a log',
      () => written('long.log', 'step 1, loss 2\n'.repeat(70_000) + printed),
      'text',
    ],
    ['a manifest', () => join(project, 'package.json'), null],
    ['a database of another program', () => database('p.sqlite', 'create table people (name text)'), null],
    ['a text without tables', () => written('notes.md', '# Notes\n\n| a | b |\n|---|---|\n| 1 | 2 |\n'), null],
    ['a picture', () => written('p.gz', Buffer.from('89504e470d0a1a0a0000', 'hex')), null],
    ['an empty file', () => written('empty.json', ''), null],
    ['a folder', () => folder, null],
    ['a file that is gone', () => join(folder, 'gone.json'), null],
  ])('%s', async (_, file, format) => {
    expect(await recogniseFile(file())).toBe(format);
  });
});

describe.skipIf(!hasData)('real profiles', () => {
  itEachFile([...dataFiles('kineto', '.json.gz'), ...dataFiles('nsys', '.sqlite')])(
    '$name is recognised by its beginning',
    async ({path, name}) => {
      expect(await recogniseFile(path)).toBe(name.endsWith('.sqlite') ? 'nsys' : 'kineto');
    },
  );
});
