import {existsSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {MessageChannel, type ResourceLimits} from 'node:worker_threads';
import {afterEach, describe, expect, it} from 'vitest';
import {EngineClient} from '../../src/engine/client.js';
import {createEngine} from '../../src/engine/engine.js';
import {workerPort} from '../../src/engine/worker-port.js';
import type {EngineRequests} from '../../src/protocol/engine-messages.js';
import {connect, serve} from '../../src/protocol/rpc.js';
import {kineto, kinetoText} from '../support/kineto-events.js';
import {project, temporaryFolder} from '../support/project.js';
import {twoRanks} from '../support/rank-files.js';
import {allLanes} from '../support/all-lanes.js';

const sample = join(project, 'media', 'sample', 'profile', 'train.pt.trace.json.gz');
const worker = join(project, 'dist', 'engine.cjs');

const folder = temporaryFolder();
/** A worker that stops when it is asked about its first profile. */
const stopping = join(folder, 'stopping.cjs');
writeFileSync(
  stopping,
  `const {parentPort} = require('node:worker_threads');
  parentPort.on('message', ({id, method, params}) => {
    if (method === 'slice/details' && params.profile === 1) process.exit();
    const isFirst = params.path?.endsWith('grows.json');
    const result = method === 'profile/open' ? {id: isFirst ? 1 : 2, stamp: ''} : {slice: 0};
    parentPort.postMessage({kind: 'result', id, result});
  });`,
);

describe('the engine, over a message channel', () => {
  const {port1, port2} = new MessageChannel();
  serve<EngineRequests>(
    workerPort(port1),
    createEngine({settings: {memoryLimitBytes: null, cache: null}, profiles: []}, 'test'),
  );
  const {ask} = connect<EngineRequests>(workerPort(port2));

  it('opens a profile and answers questions about it', async () => {
    const {id, info, tracks} = await ask('profile/open', {path: sample});
    expect(info.counts.ranges).toBeGreaterThan(50);
    const [timing] = await ask('lines/timings', {profile: id, patterns: [[['layer_', '']]], of: 'steps'});
    expect(timing?.count).toBe(12);
    const place = await ask('range/places', {profile: id, patterns: [['train_step']]});
    const details = await ask('slice/details', {profile: id, slice: place?.slice ?? -1});
    expect(details).toMatchObject({name: 'train_step', kind: 'user_annotation'});
    const {slices} = await ask('timeline/visible', {
      profile: id,
      window: {
        fromNs: 0,
        toNs: info.spanNs,
        widthPx: 1000,
        lanes: allLanes(tracks.map(({track}) => track)),
        instants: [],
        counters: [],
      },
    });
    expect(slices.blocks.length).toBeGreaterThan(100);
    const flame = await ask('flame', {profile: id, query: {weight: 'cpu'}});
    expect(flame.names).toContain('ProfilerStep*');
    const {answer, changes, systems} = await ask('what-if', {profile: id});
    expect(changes.find(({change}) => change === 'remove-sync')?.predictedNs).toBeLessThan(answer.measuredNs);
    expect(systems.map(({system}) => system)).toEqual(['a100-80gb', 'h100', 'b200', 'mi300x']);
    await ask('profile/close', {profile: id});
    await expect(ask('slice/details', {profile: id, slice: 0})).rejects.toMatchObject({code: 'profile/not-open'});
  });

  it('has a row for each rank of a job whose files are open', async () => {
    const [first, second] = twoRanks(folder);
    const query = {tab: 'ranks', selection: {}, filter: {text: '', isRegex: false, sort: []}};
    const {id} = await ask('profile/open', {path: first});
    const waits = async () => {
      const {columns, rows} = await ask('tables/page', {profile: id, query, firstRow: 0, count: 10});
      return rows.map(({texts}) => texts[columns.findIndex(({header}) => header === 'Wait (ns)')]);
    };
    expect(await waits()).toEqual(['']);
    const other = await ask('profile/open', {path: second});
    expect(await waits()).toEqual(['30.0 µs', '0 ns']);
    await ask('profile/close', {profile: other.id});
    expect(await waits()).toEqual(['']);
  });

  it('keeps nothing of an opening that was cancelled', async () => {
    await expect(ask('profile/open', {path: sample}, {signal: AbortSignal.abort()})).rejects.toMatchObject({
      code: 'import/cancelled',
    });
  });

  it('rejects with the importer’s sentence', async () => {
    await expect(ask('profile/open', {path: join(project, 'package.json')})).rejects.toMatchObject({
      code: 'import/not-a-trace',
    });
    port1.close();
  });
});

describe('EngineClient', () => {
  let client: EngineClient | null = null;
  const lost: string[] = [];
  const settings = () => ({memoryLimitBytes: null, cache: null});
  const start = (workerPath = worker, resourceLimits: ResourceLimits = {}) =>
    (client = new EngineClient({workerPath, settings, onLost: reason => lost.push(reason), resourceLimits}));
  afterEach(() => client?.dispose());

  it('has its worker built before', () => {
    expect(existsSync(worker)).toBe(true);
  });

  it('starts the worker with the first question', async () => {
    const {info} = await start().ask('profile/open', {path: sample});
    expect(info.format).toBe('kineto');
  });

  it('rejects what is waiting when the worker dies, says so, and starts another', async () => {
    const broken = start(join(project, 'package.json'));
    await expect(broken.ask('profile/open', {path: sample})).rejects.toMatchObject({code: 'rpc/closed'});
    expect(lost.at(-1)).toContain('The engine has stopped');
  });

  it('says which profile it ran out of memory with, and open profiles come back by themselves', async () => {
    const engine = start(worker, {maxOldGenerationSizeMb: 40, maxYoungGenerationSizeMb: 4});
    const {id, info} = await engine.ask('profile/open', {path: sample});
    const asks = () => engine.ask('lines/timings', {profile: id, patterns: [[['layer_', '']]], of: 'steps'});
    const timings = await asks();
    const path = join(folder, 'many-names.json');
    const names = Array.from({length: 400_000}, (_, i) => `a name of its own that takes some memory ${String(i)}`);
    writeFileSync(path, kinetoText(names.map((name, at) => kineto.range(name, at, 1))));
    const sentence = /^GPU Lens ran out of memory while reading many-names\.json: close other profiles/;
    await expect(engine.ask('profile/open', {path})).rejects.toMatchObject({
      code: 'rpc/closed',
      message: expect.stringMatching(sentence) as string,
    });
    expect(lost.at(-1)).toMatch(sentence);
    expect(await asks()).toEqual(timings);
    const next = await engine.ask('profile/open', {path: sample});
    expect(next.id).toBeGreaterThan(id);
    expect(next.info).toEqual(info);
    await engine.ask('profile/close', {profile: id});
    await expect(asks()).rejects.toMatchObject({code: 'profile/not-open'});
  });

  it('does not try a profile again whose reading has stopped the engine twice', async () => {
    const path = join(folder, 'grows.json');
    writeFileSync(path, kinetoText([kineto.range('small', 0, 1)]));
    const engine = start(stopping);
    const {id} = await engine.ask('profile/open', {path});
    const other = await engine.ask('profile/open', {path: sample});
    const details = (profile: number) => engine.ask('slice/details', {profile, slice: 0});
    for (let i = 0; i < 2; i++) await expect(details(id)).rejects.toMatchObject({code: 'rpc/closed'});
    expect(lost.at(-1)).toBe('The engine has stopped while reading grows.json.');
    await expect(details(id)).rejects.toMatchObject({
      code: 'engine/out-of-memory',
      message: 'The engine has stopped twice while it read grows.json: close other profiles and open it again.',
    });
    expect(await details(other.id)).toMatchObject({slice: 0});
  });

  it('starts no worker to close a profile or to change settings, and tells one that runs', async () => {
    const engine = start(join(folder, 'none.cjs'));
    await engine.ask('profile/close', {profile: 1});
    await engine.configure();
    const running = start();
    const {id} = await running.ask('profile/open', {path: sample});
    await running.configure();
    expect(await running.ask('slice/details', {profile: id, slice: 0})).not.toBeNull();
  });

  it('rejects what is asked when it was disposed', async () => {
    const engine = start();
    const asked = expect(engine.ask('profile/open', {path: sample})).rejects.toMatchObject({code: 'rpc/closed'});
    await engine.dispose();
    await asked;
  });
});
