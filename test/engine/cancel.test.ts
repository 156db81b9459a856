import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {EngineClient} from '../../src/engine/client.js';
import {writeLargeTrace} from '../support/large-trace.js';
import {writeNsysDatabase} from '../support/nsys-database.js';
import {project, temporaryFolder} from '../support/project.js';

const folder = temporaryFolder();
const worker = join(project, 'dist', 'engine.cjs');

/** Many kernels. */
const manyKernels = `with recursive c(x) as (select 1 union all select x + 1 from c where x < 300000)
  insert into CUPTI_ACTIVITY_KIND_KERNEL select 5000 + 20 * x, 5010 + 20 * x, 0, 1, 7, x, 281475144482816, 2, 3 from c`;

function traceOf(bytes: number): string {
  const path = join(folder, `${String(bytes)}.json`);
  writeLargeTrace(path, bytes);
  return path;
}

/** Nothing is kept on the disk: every opening imports. */
function newEngine(): EngineClient {
  const settings = () => ({memoryLimitBytes: null, cache: null});
  return new EngineClient({workerPath: worker, settings, onLost: () => undefined});
}

describe('EngineClient.open(params, {signal})', () => {
  it.each([
    ['a Kineto trace of 60 MB, which one thread reads', () => traceOf(60e6)],
    ['a Kineto trace of 150 MB, which two threads read', () => traceOf(150e6)],
    ['an nsys export of 300,000 kernels', () => writeNsysDatabase(join(folder, 'large.sqlite'), manyKernels)],
  ])(
    'answers a cancel at once at every phase of %s, and the engine is soon free again',
    async (what, make) => {
      const path = make();
      const engine = newEngine();
      onTestFinished(() => engine.dispose());
      const start = performance.now();
      const {id} = await engine.open({path}, {signal: new AbortController().signal});
      const wholeMs = performance.now() - start;
      await engine.ask('profile/close', {profile: id});
      const answeredMs: number[] = [];
      const freeMs: number[] = [];
      for (let part = 0.02; part < 0.95; part += 0.06) {
        const cancel = new AbortController();
        let cancelledAtMs = NaN;
        setTimeout(() => {
          cancelledAtMs = performance.now();
          cancel.abort();
        }, wholeMs * part);
        const code = await engine.open({path}, {signal: cancel.signal}).then(
          opened => engine.ask('profile/close', {profile: opened.id}).then(() => 'opened'),
          (error: unknown) => (error as {code?: unknown}).code,
        );
        // The second time it is faster, and may have been open before.
        if (code === 'opened') break;
        expect(code).toBe('import/cancelled');
        answeredMs.push(performance.now() - cancelledAtMs);
        await engine.ask('profile/close', {profile: -1});
        freeMs.push(performance.now() - cancelledAtMs);
      }
      const most = (times: readonly number[]) => Math.max(...times).toFixed(0);
      process.stdout.write(
        `Cancel of ${what} (${wholeMs.toFixed(0)} ms) at ${String(answeredMs.length)} places: answered within ${most(answeredMs)} ms, the engine free within ${most(freeMs)} ms.\n`,
      );
      expect(answeredMs.length).toBeGreaterThan(5);
      // The figure is for docs/performance.md; a slow machine may take longer than the 100 ms that are aimed at.
      expect(Math.max(...answeredMs)).toBeLessThan(3000);
      expect(Math.max(...freeMs)).toBeLessThan(20_000);
    },
    120_000,
  );

  it('closes what was opened all the same', async () => {
    const engine = newEngine();
    onTestFinished(() => engine.dispose());
    const path = join(project, 'media', 'sample', 'profile', 'train.pt.trace.json.gz');
    await expect(engine.open({path}, {signal: AbortSignal.abort()})).rejects.toMatchObject({code: 'import/cancelled'});
    const {id} = await engine.open({path}, {signal: new AbortController().signal});
    await engine.ask('profile/close', {profile: id});
    await expect(engine.ask('slice/details', {profile: 1, slice: 0})).rejects.toMatchObject({code: 'profile/not-open'});
  });
});
