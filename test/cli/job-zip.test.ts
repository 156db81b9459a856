import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {json, run, runWith} from '../support/command-line.js';
import {zipOf, type Packed} from '../support/make-zip.js';
import {temporaryFolder} from '../support/project.js';
import {skewedRanks} from '../support/skewed-ranks.js';

const folder = temporaryFolder();

function written(name: string, files: readonly Packed[]): string {
  const path = join(folder, name);
  writeFileSync(path, zipOf(files));
  return path;
}

const {files} = skewedRanks(folder, 2);
const ranks = files.map((path, rank): Packed => ({
  name: `run/node${String(rank)}/trace.rank${String(rank)}.json`,
  data: readFileSync(path),
}));

describe('gpu-lens job of a zip', () => {
  it('says what it says of a folder with the same files, whatever their order', () => {
    const unpacked = join(folder, 'unpacked');
    mkdirSync(unpacked);
    ranks.forEach(({data}, rank) => {
      writeFileSync(join(unpacked, `trace.rank${String(rank)}.json`), data);
    });
    const zip = written('ranks.zip', [{name: 'README.md', data: Buffer.from('# Ranks')}, ...[...ranks].reverse()]);
    expect(json('job', zip)).toEqual(json('job', unpacked));
  });

  it('names the rank that is missing, and what is no profile', () => {
    const zip = written('lacking.zip', [...ranks.slice(1), {name: 'config.json', data: Buffer.from('{"lr": 0.1}')}]);
    const {missing, notes} = JSON.parse(run('job', zip, '--format', 'json').stdout) as {
      readonly missing: readonly number[];
      readonly notes: readonly {readonly code: string}[];
    };
    expect(missing).toEqual([0]);
    expect(notes.map(({code}) => code)).toContain('job/left-out');
  });

  it('summarizes each profile of it', () => {
    const zip = written('for-summaries.zip', ranks);
    const out = join(folder, 'summaries');
    expect(run('summarize', zip, '-o', out)).toMatchObject({status: 0, stderr: ''});
    expect(json('job', out)).toEqual(json('job', zip));
  });

  it.each([
    ['has a name that leads out of it', [{name: '../rank0.json', data: Buffer.from('{}')}], 'is a damaged zip'],
    ['has an absolute name', [{name: '/tmp/rank0.json', data: Buffer.from('{}')}], 'is a damaged zip'],
    ['has a name of Windows', [{name: 'C:\\rank0.json', data: Buffer.from('{}')}], 'is a damaged zip'],
    [
      'unpacks to more than it says',
      [{name: 'rank0.json', data: Buffer.alloc(50_000_000), claimed: 10}],
      'is a damaged zip',
    ],
    ['holds no profile', [{name: 'notes.txt', data: Buffer.from('none')}], 'No profile was found'],
  ])('is told in one sentence where it %s', (_, packed, sentence) => {
    const {status, stderr, stdout} = run('job', written('bad.zip', packed));
    expect([status, stdout, stderr.trim().split('\n').length]).toEqual([1, '', 1]);
    expect(stderr).toContain(sentence);
  });

  it('is bounded: a bomb ends at the limit of what a file may unpack to', () => {
    const bomb = written('bomb.zip', [{name: 'rank0.json', data: Buffer.alloc(300_000_000, ' ')}]);
    const {status, stderr} = runWith({GPU_LENS_MAXIMUM_UNPACKED_GB: '0.1'}, 'job', bomb);
    expect([status, stderr]).toEqual([
      1,
      'gpu-lens: bomb.zip unpacks to more than 100,000,000 bytes (GPU_LENS_MAXIMUM_UNPACKED_GB).\n',
    ]);
  });

  it('is read whole or told to be cut off, wherever it ends, and leaves nothing behind', () => {
    const temporary = join(folder, 'temporary');
    mkdirSync(temporary);
    const bytes = zipOf(ranks.slice(0, 1));
    const path = join(folder, 'cut.zip');
    for (const part of [0.2, 0.6, 0.9, 0.999]) {
      writeFileSync(path, bytes.subarray(0, Math.floor(bytes.length * part)));
      const {status, stderr} = runWith({TMPDIR: temporary}, 'job', path);
      expect([status, stderr.split('\n').length]).toEqual([1, 2]);
      expect(stderr).toContain('cut.zip is a damaged zip');
    }
    expect(runWith({TMPDIR: temporary}, 'job', written('whole.zip', ranks)).status).toBe(0);
    expect(readdirSync(temporary)).toEqual([]);
  });
});
