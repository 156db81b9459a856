import {existsSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {sweepsFolder} from '../../src/launch/benchmark/sweep-files.js';
import {withLock} from '../../src/launch/benchmark/sweep-lock.js';
import {temporaryFolder} from '../support/project.js';

const output = temporaryFolder();

it('withLock(output, id, run) lets one run at a time, and says so to the others', async () => {
  let [now, together] = [0, 0];
  const all = Array.from({length: 30}, () =>
    withLock(output, 'one', async () => {
      together = Math.max(together, ++now);
      await new Promise(resolve => setImmediate(resolve));
      now--;
    }),
  );
  const ended = await Promise.allSettled(all);
  expect(together).toBe(1);
  const refused = ended.filter(one => one.status === 'rejected').map(({reason}) => String(reason));
  expect(refused.length).toBeGreaterThan(0);
  for (const sentence of refused)
    expect(sentence).toMatch(/^TraceError: This sweep is being measured by .+ or end it\.$/);
  await expect(withLock(output, 'one', () => Promise.resolve('again'))).resolves.toBe('again');
});

it('withLock(output, id, run) says which process measures the sweep, on which machine', async () => {
  const note = join(output, sweepsFolder, 'told.holder.json');
  const refused = () => withLock(output, 'told', () => Promise.resolve());
  await withLock(output, 'told', async () => {
    await expect(refused()).rejects.toThrow(`by process ${String(process.pid)}: wait for it, or end it.`);
    writeFileSync(note, JSON.stringify({host: 'elsewhere', pid: 4711}));
    await expect(refused()).rejects.toThrow('by process 4711 on elsewhere: wait for it');
    writeFileSync(note, '');
    await expect(refused()).rejects.toThrow('by another process: wait for it');
  });
  expect(existsSync(note)).toBe(false);
});

it('withLock(output, id, run) lets different sweeps be measured together, and goes on after one that fails', async () => {
  const failing = withLock(output, 'two', async () => {
    await withLock(output, 'three', () => Promise.resolve());
    throw new Error('of the sweep');
  });
  await expect(failing).rejects.toThrow('of the sweep');
  await expect(withLock(output, 'two', () => Promise.resolve('again'))).resolves.toBe('again');
});
