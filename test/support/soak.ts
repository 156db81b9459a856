import {fork, type ChildProcess} from 'node:child_process';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect} from 'vitest';
import {processPort} from '../../src/engine/process-port.js';
import type {EngineRequests, EngineStart} from '../../src/protocol/engine-messages.js';
import {connect} from '../../src/protocol/rpc.js';
import {kineto, kinetoText} from './kineto-events.js';
import {project} from './project.js';
import {dataFiles} from './real-data.js';
import {allLanes} from './all-lanes.js';

/** Number of openings between two large ones. */
const largeEvery = 8;
/** Number of memory measurements. */
const measurements = 5;

/** Opens and closes this many profiles in one process, and expects its memory to stay flat. */
export async function soak(folder: string, openings: number): Promise<void> {
  const measuredEvery = openings / measurements;
  const large = join(folder, 'large.json');
  writeFileSync(large, kinetoText(Array.from({length: 200_000}, (_, i) => kineto.op(`op ${String(i % 5000)}`, i, 1))));
  const small = [
    join(project, 'media', 'sample', 'profile', 'train.pt.trace.json.gz'),
    ...[...dataFiles('kineto', '.json.gz'), ...dataFiles('nsys', '.sqlite')].map(({path}) => path),
  ];
  const {engine, memory} = startEngine(folder);
  const {ask} = connect<EngineRequests>(processPort(engine));
  const measured: {heldBytes: number; residentBytes: number}[] = [];
  try {
    for (let i = 0; i < openings; i++) {
      const path = i % largeEvery === 0 ? large : (small[i % small.length] ?? large);
      const {id, info, tracks} = await ask('profile/open', {path});
      const window = {
        fromNs: 0,
        toNs: info.spanNs,
        widthPx: 500,
        lanes: allLanes(tracks.map(({track}) => track)),
        instants: [],
        counters: [],
      };
      await ask('timeline/visible', {profile: id, window});
      await ask('flame', {profile: id, query: {weight: 'gpu-work'}});
      await ask('profile/close', {profile: id});
      if (i % measuredEvery === measuredEvery - 1) measured.push(await memory());
    }
  } finally {
    engine.kill();
  }
  const megabytes = (key: 'heldBytes' | 'residentBytes') =>
    measured.map(figures => Math.round(figures[key] / 1e5) / 10).join(', ');
  console.info(`Every ${String(measuredEvery)} openings, MB: held ${megabytes('heldBytes')}`);
  console.info(`resident ${megabytes('residentBytes')}`);
  const [first, second] = measured;
  const last = measured.at(-1);
  if (!first || !second || !last) throw new Error('Nothing was measured.');
  expect(last.heldBytes).toBeLessThan(first.heldBytes + 5e6);
  // V8 keeps the memory that its heap once took, and grows the heap in steps for a while.
  expect(last.residentBytes).toBeLessThan(1.5 * second.residentBytes + 100e6);
}

/** Starts the built engine in a process that also reports its memory after a garbage collection. */
function startEngine(folder: string): {
  engine: ChildProcess;
  memory: () => Promise<{heldBytes: number; residentBytes: number}>;
} {
  const entry = join(folder, 'measured.cjs');
  writeFileSync(
    entry,
    `process.on('message', async message => {
      if (message !== 'memory') return;
      for (let i = 0; i < 3; i++) {
        gc();
        await new Promise(resolve => setTimeout(resolve, 10));
      }
      const {heapUsed, arrayBuffers, rss} = process.memoryUsage();
      process.send({heldBytes: heapUsed + arrayBuffers, residentBytes: rss});
    });`,
  );
  const cache = {folder: join(folder, 'cache'), limitBytes: 1e9};
  const start: EngineStart = {settings: {memoryLimitBytes: null, cache}, profiles: []};
  const engine = fork(join(project, 'dist', 'engine.cjs'), [String(process.pid)], {
    execArgv: ['--expose-gc', '--require', entry],
    serialization: 'advanced',
  });
  engine.send(start);
  const memory = () =>
    new Promise<{heldBytes: number; residentBytes: number}>(resolve => {
      const listen = (message: object) => {
        if (!('heldBytes' in message)) return;
        engine.off('message', listen);
        resolve(message as {heldBytes: number; residentBytes: number});
      };
      engine.on('message', listen);
      engine.send('memory');
    });
  return {engine, memory};
}
