import {execFileSync} from 'node:child_process';
import {copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {MessageChannel} from 'node:worker_threads';
import {afterAll, describe, expect, it} from 'vitest';
import type {JobReport} from '../../src/core/job/job-report.js';
import type {RankSpread} from '../../src/core/job/rank-spread.js';
import {createEngine} from '../../src/engine/engine.js';
import {workerPort} from '../../src/engine/worker-port.js';
import type {EngineRequests} from '../../src/protocol/engine-messages.js';
import {connect, serve} from '../../src/protocol/rpc.js';
import {cli, run} from '../support/command-line.js';
import {zipOf} from '../support/make-zip.js';
import {project, temporaryFolder} from '../support/project.js';
import {dataFolder, hasData} from '../support/real-data.js';

const folder = temporaryFolder();
const gloo = join(project, 'test', 'fixtures', 'gloo');
const names = readdirSync(gloo).filter(name => name.endsWith('.json.gz'));
const {port1, port2} = new MessageChannel();
serve<EngineRequests>(
  workerPort(port1),
  createEngine({settings: {memoryLimitBytes: null, cache: null}, profiles: []}, 'test'),
);
const {ask} = connect<EngineRequests>(workerPort(port2));
afterAll(() => {
  port1.close();
});

/** What the command line prints of a report: as JSON, without what only views need. */
function asPrinted(report: JobReport): unknown {
  const {ranks, missing, alignedBy, culprit, steps, ranges, kernels, collectives} = report;
  const {experts, grouped, exchanges} = report;
  const spread = ({minNs, medianNs, maxNs, slowestRank}: RankSpread) => ({minNs, medianNs, maxNs, slowestRank});
  return JSON.parse(
    JSON.stringify({
      ranks: ranks.map(({rank, host, file, offsetNs, residualNs}) => ({rank, host, file, offsetNs, residualNs})),
      ...{missing, alignedBy, culprit},
      steps: steps.map(({step, ...over}) => ({step, ...spread(over)})),
      ranges: ranges.map(({name, ...over}) => ({name, ...spread(over)})),
      kernels: kernels.map(({name, spreadNs, ranks: have, count, minNs, medianNs, maxNs, slowestRank}) => ({
        ...{name, minNs, medianNs, maxNs, slowestRank, spreadNs, ranks: have, count},
      })),
      overlap: ranks.flatMap(({rank, overlap}) =>
        overlap === null
          ? []
          : [{rank, ...overlap, overlapPercent: (100 * overlap.overlapNs) / overlap.communicationNs}],
      ),
      collectives: collectives.map(calls => {
        const {name, group, count, bytes, waitNs, transferNs} = calls;
        const {algorithmBytesPerSecond, busBytesPerSecond, link, shareOfLink} = calls;
        return {
          ...{name, group, count, bytes, waitNs, transferNs},
          ...{algorithmBytesPerSecond, busBytesPerSecond, link, shareOfLink},
        };
      }),
      ...{experts, grouped, exchanges},
    }),
  );
}

async function figuresOf(...paths: string[]): Promise<unknown> {
  return asPrinted((await ask('job', {paths, exports: {}})).view.report);
}

function printed(...paths: string[]): unknown {
  // Of a profile with thousands of ranges it is megabytes.
  const text = execFileSync(process.execPath, [cli, 'job', ...paths, '--format', 'json'], {maxBuffer: 64e6});
  return Object.fromEntries(Object.entries(JSON.parse(text.toString()) as object).filter(([key]) => key !== 'notes'));
}

describe('a job in the engine', () => {
  it('has the figures of the command line, of files, a folder and a zip', async () => {
    const files = names.map(name => join(gloo, name));
    const zip = join(folder, 'ranks.zip');
    writeFileSync(zip, zipOf(names.map(name => ({name: `run/${name}`, data: readFileSync(join(gloo, name))}))));
    const expected = printed(...files);
    expect(await figuresOf(...files)).toEqual(expected);
    expect(await figuresOf(gloo)).toEqual(printed(gloo));
    expect(await figuresOf(zip)).toEqual(expected);
  });

  it('tells where each rank is, and unpacks a rank of a zip when it is looked at, once', async () => {
    const zip = join(folder, 'ranks.zip');
    const {places} = await ask('job', {paths: [zip], exports: {}});
    expect(places.map(({rank, path, entry}) => [rank, path, entry])).toEqual(
      names.map((name, rank) => [rank, zip, `run/${name}`]),
    );
    const [, second] = places;
    if (!second) throw new Error('two ranks');
    const path = await ask('job/file', {place: second});
    expect(readFileSync(path)).toEqual(readFileSync(join(gloo, names[1] ?? '')));
    expect(await ask('job/file', {place: second})).toBe(path);
    expect((await ask('profile/open', {path})).job.rank).toBe(1);
    const [plain] = (await ask('job', {paths: [gloo], exports: {}})).places;
    expect(await ask('job/file', {place: plain ?? second})).toBe(plain?.path);
    await expect(ask('job/file', {place: {path: zip, entry: '../../etc/passwd'}})).rejects.toThrow(
      'no longer contains the file',
    );
  });

  it('reads summaries, whose ranks are the profiles beside them', async () => {
    const both = join(folder, 'both');
    mkdirSync(both);
    for (const name of names) copyFileSync(join(gloo, name), join(both, name));
    expect(run('summarize', both, '-o', both).status).toBe(0);
    const {places, view} = await ask('job', {paths: [both], exports: {}});
    expect(asPrinted(view.report)).toEqual(printed(both));
    expect(places.map(({path}) => path)).toEqual(names.map(name => join(both, name)));
    expect(places.every(({path}) => existsSync(path))).toBe(true);
  });

  it('can be cancelled between two files', async () => {
    const cancel = new AbortController();
    const reading = ask(
      'job',
      {paths: [gloo], exports: {}},
      {
        signal: cancel.signal,
        onProgress: () => {
          cancel.abort();
        },
      },
    );
    await expect(reading).rejects.toThrow();
  });

  it.skipIf(!hasData)('of one file with several processes has a rank for each', async () => {
    const path = join(dataFolder, 'nsys', 'train-2xh100-2proc.sqlite');
    const {places, view} = await ask('job', {paths: [path], exports: {}});
    expect(asPrinted(view.report)).toEqual(printed(path));
    expect(places.map(({rank, process}) => [rank, process])).toEqual([
      [0, '111'],
      [1, '112'],
    ]);
  });

  it.skipIf(!hasData)('of the public two ranks of 128 has the figures of the command line', async () => {
    const paths = [0, 1].map(rank => join(dataFolder, 'kineto', `ddp-rank-${String(rank)}-of-128.json.gz`));
    const {view} = await ask('job', {paths, exports: {}});
    expect(asPrinted(view.report)).toEqual(printed(...paths));
    expect(view.report.missing).toHaveLength(126);
  });
});
