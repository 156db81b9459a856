import {cpSync, mkdirSync, readdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {json, run} from '../support/command-line.js';
import {itEachFile} from '../support/each-file.js';
import {writeNsysDatabase} from '../support/nsys-database.js';
import {project, temporaryFolder} from '../support/project.js';
import {dataFiles} from '../support/real-data.js';
import {skewedRanks} from '../support/skewed-ranks.js';

interface Job {
  readonly ranks: readonly Readonly<Record<'rank' | 'offsetNs' | 'residualNs', number>>[];
  readonly missing: readonly number[];
  readonly alignedBy: string;
  readonly culprit: unknown;
  readonly collectives: readonly {
    readonly name: string;
    readonly count: number;
    readonly waitNs: Readonly<Record<string, number>>;
    readonly transferNs: number;
  }[];
  readonly notes: readonly {readonly code: string; readonly text: string}[];
}

const folder = temporaryFolder();
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const gloo = join(project, 'test', 'fixtures', 'gloo');

function emptyFolder(name: string): string {
  const path = join(folder, name);
  mkdirSync(path);
  return path;
}

describe('gpu-lens job', () => {
  it.each([1, 2, 3])('finds the clocks of made ranks, and tells waiting from transfer (seed %i)', seed => {
    const {files, waitNs, transferNs} = skewedRanks(folder, seed);
    const job = json('job', ...files) as Job;
    expect(job.alignedBy).toBe('collectives');
    expect(job.missing).toEqual([]);
    // All ranks leave a call at the same moment.
    expect(job.ranks.map(({residualNs}) => residualNs)).toEqual(files.map(() => 0));
    for (const {rank} of job.ranks) {
      const found = sum(job.collectives.map(({waitNs: ofRanks}) => ofRanks[String(rank)] ?? 0));
      expect(found).toBe(sum([...(waitNs[rank] ?? [])]));
    }
    expect(sum(job.collectives.map(({transferNs: ns}) => ns))).toBe(sum([...transferNs]));
  });

  it('reads a folder of real ranks, which wait for another one in each step: nobody holds them up', () => {
    const job = json('job', gloo) as Job;
    expect(job.ranks.map(({rank}) => rank)).toEqual([0, 1, 2]);
    expect(job.culprit).toBeNull();
    expect(job.collectives.map(({name, count}) => [name, count])).toEqual([
      ['all_reduce', 8],
      ['all_gather', 4],
    ]);
    // One machine has one clock: what is found is how far ends of calls lie apart.
    expect(job.alignedBy).toBe('collectives');
    for (const {offsetNs, residualNs} of job.ranks) expect(Math.abs(offsetNs)).toBeLessThanOrEqual(2e6 + residualNs);
  });

  it('has the keys of the contract, and no others', () => {
    const keys = (value: unknown) => Object.keys(value as object);
    const job = json('job', gloo) as Record<string, readonly unknown[]>;
    expect(keys(job)).toEqual([
      ...['ranks', 'missing', 'alignedBy', 'culprit', 'steps', 'ranges', 'kernels', 'collectives'],
      ...['overlap', 'experts', 'grouped', 'exchanges', 'notes'],
    ]);
    expect(keys(job['ranks']?.[0])).toEqual(['rank', 'host', 'file', 'offsetNs', 'residualNs']);
    expect(keys(job['steps']?.[0])).toEqual(['step', 'minNs', 'medianNs', 'maxNs', 'slowestRank']);
    expect(keys(job['ranges']?.[0])).toEqual(['name', 'minNs', 'medianNs', 'maxNs', 'slowestRank']);
    expect(keys(job['collectives']?.[0])).toEqual([
      ...['name', 'group', 'count', 'bytes', 'waitNs', 'transferNs'],
      ...['algorithmBytesPerSecond', 'busBytesPerSecond', 'link', 'shareOfLink'],
    ]);
  });

  it('leaves out what a folder holds besides profiles, and says so; what is named must be one', () => {
    const mixed = join(folder, 'mixed');
    mkdirSync(mixed);
    cpSync(gloo, mixed, {recursive: true});
    writeFileSync(join(mixed, 'config.json'), '{"lr": 0.1}');
    const {stdout, status} = run('job', mixed, '--format', 'json');
    const {ranks, notes} = JSON.parse(stdout) as Job;
    expect([status, ranks.length]).toEqual([0, 3]);
    expect(notes).toContainEqual({
      code: 'job/left-out',
      text: expect.stringContaining('config.json was left out:') as string,
    });
    expect(run('job', join(mixed, 'config.json')).status).toBe(1);
    expect(run('job', join(folder, 'nowhere')).stderr).toContain('nowhere');
  });

  it('counts a report and its export once, in job and summarize', () => {
    const exported = join(folder, 'exported');
    mkdirSync(exported);
    const database = writeNsysDatabase(join(exported, 'train.sqlite'));
    for (const end of ['nsys-rep', 'qdrep']) writeFileSync(join(exported, `train.${end}`), 'a report');
    const {ranks, notes} = json('job', exported) as Job;
    expect(ranks.length).toBe((json('job', database) as Job).ranks.length);
    expect(notes.map(({code}) => code)).not.toContain('job/left-out');
    const summaries = join(folder, 'of-exported');
    expect(run('summarize', exported, '-o', summaries)).toMatchObject({status: 0, stderr: ''});
    expect(readdirSync(summaries)).toEqual(['train.parquet']);
  });

  it('refuses one rank twice, an empty folder, a text, and no path at all', () => {
    const [file = ''] = skewedRanks(folder, 4).files;
    expect(run('job', file, file)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('are both rank 0') as string,
    });
    const empty = join(folder, 'empty');
    mkdirSync(empty);
    expect(run('job', empty)).toMatchObject({status: 1, stderr: 'gpu-lens: No profile was found in empty.\n'});
    const text = join(project, 'test', 'fixtures', 'key-averages', 'operators.txt');
    expect(run('job', text)).toMatchObject({
      status: 1,
      stderr: 'gpu-lens: operators.txt is a text with tables, which has no ranks.\n',
    });
    expect(run('job').status).toBe(2);
    expect(run('job', gloo, '--by', 'kernels').status).toBe(2);
  });

  it('tells files of one name apart by their folders', () => {
    const {files} = skewedRanks(folder, 5);
    const hosts = emptyFolder('hosts');
    files.forEach((path, rank) => {
      const host = join(hosts, `host${String(rank)}`);
      mkdirSync(host);
      cpSync(path, join(host, 'trace.json'));
    });
    const {ranks} = json('job', hosts) as {ranks: {rank: number; file: string}[]};
    expect(ranks.map(({rank, file}) => [rank, file])).toEqual(
      files.map((_, rank) => [rank, `host${String(rank)}/trace.json`]),
    );
    const again = join(hosts, 'host0', 'again');
    mkdirSync(again);
    cpSync(join(hosts, 'host0', 'trace.json'), join(again, 'trace.json'));
    expect(run('job', hosts).stderr).toBe(
      'gpu-lens: again/trace.json and host0/trace.json are both rank 0: name each rank once.\n',
    );
  });

  it.each(['rank', 'step', 'range', 'collective'])('prints rows by %s as a table, CSV and Markdown', part => {
    const csv = run('job', gloo, '--by', part, '--format', 'csv').stdout.trimEnd().split('\n');
    const markdown = run('job', gloo, '--by', part, '--format', 'markdown').stdout;
    expect(markdown.match(/^\| (?!---)/gm)).toHaveLength(csv.length);
    expect(run('job', gloo, '--by', part).stdout).toContain('No rank holds the others up');
  });

  itEachFile(dataFiles('kineto', 'ddp-rank-0-of-128.json.gz'))(
    'aligns two public ranks of 128 by the six calls that end together: $name',
    ({path}) => {
      const files = [path, path.replace('rank-0', 'rank-1')];
      const job = json('job', ...files) as Job;
      expect(job.alignedBy).toBe('collectives');
      expect(job.ranks[1]?.residualNs).toBeLessThan(1e6);
      expect(job.missing).toHaveLength(126);
      expect(Object.fromEntries(job.collectives.map(({name, count}) => [name, count]))).toEqual({
        ...{all_to_all: 4, all_reduce: 4, all_gather: 2},
      });
      expect(job.notes.map(({code}) => code)).toEqual([
        ...['job/not-judged', 'job/missing', 'job/partial-collectives', 'job/ranges', 'job/kernels'],
      ]);
    },
  );
});
