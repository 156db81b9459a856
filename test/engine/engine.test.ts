import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {MessageChannel} from 'node:worker_threads';
import {afterEach, describe, expect, it} from 'vitest';
import {EngineClient} from '../../src/engine/client.js';
import {createEngine} from '../../src/engine/engine.js';
import {workerPort} from '../../src/engine/worker-port.js';
import type {EngineRequests} from '../../src/protocol/engine-messages.js';
import {connect, serve} from '../../src/protocol/rpc.js';
import {project} from '../support/project.js';

const sample = join(project, 'media', 'sample', 'profile', 'train.pt.trace.json.gz');
const worker = join(project, 'dist', 'engine.cjs');

describe('the engine, over a message channel', () => {
  const {port1, port2} = new MessageChannel();
  serve<EngineRequests>(workerPort(port1), createEngine());
  const {ask} = connect<EngineRequests>(workerPort(port2));

  it('opens a profile and answers questions about it', async () => {
    const {id, info, tracks} = await ask('profile/open', {path: sample});
    expect(info.counts.ranges).toBeGreaterThan(50);
    const [timing] = await ask('lines/timings', {profile: id, patterns: [[['layer_', '']]]});
    expect(timing?.count).toBe(12);
    const place = await ask('range/places', {profile: id, patterns: [['train_step']]});
    const details = await ask('slice/details', {profile: id, slice: place?.slice ?? -1});
    expect(details).toMatchObject({name: 'train_step', kind: 'user_annotation'});
    const {blocks} = await ask('slices/visible', {
      profile: id,
      window: {fromNs: 0, toNs: info.spanNs, widthPx: 1000, tracks: tracks.map(({track}) => track)},
    });
    expect(blocks.length).toBeGreaterThan(100);
    const flame = await ask('flame', {profile: id, weight: 'cpu'});
    expect(flame.names).toContain('ProfilerStep*');
    await ask('profile/close', {profile: id});
    await expect(ask('slice/details', {profile: id, slice: 0})).rejects.toMatchObject({code: 'profile/not-open'});
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
  const start = (path = worker) => (client = new EngineClient(path, reason => lost.push(reason)));
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

  it('rejects what is asked when it was disposed', async () => {
    const engine = start();
    const asked = expect(engine.ask('profile/open', {path: sample})).rejects.toMatchObject({code: 'rpc/closed'});
    await engine.dispose();
    await asked;
  });
});
