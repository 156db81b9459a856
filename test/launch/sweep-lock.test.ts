import {spawnSync} from 'node:child_process';
import {existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {hostname} from 'node:os';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {sweepsFolder} from '../../src/launch/benchmark/sweep-files.js';
import {withLock} from '../../src/launch/benchmark/sweep-lock.js';
import {temporaryFolder} from '../support/project.js';

const output = temporaryFolder();
mkdirSync(join(output, sweepsFolder));
const lock = (id: string) => join(output, sweepsFolder, `${id}.lock`);
/** The number of a process that has ended. */
const dead = spawnSync(process.execPath, ['-e', '']).pid;

/** How many of those who want a lock at once get it, and the most who had it together. */
async function contend(id: string): Promise<{taken: number; together: number}> {
  let [now, together] = [0, 0];
  const all = Array.from({length: 30}, () =>
    withLock(output, id, async () => {
      together = Math.max(together, ++now);
      await new Promise(resolve => setImmediate(resolve));
      now--;
    }),
  );
  const ended = await Promise.allSettled(all);
  return {taken: ended.filter(({status}) => status === 'fulfilled').length, together};
}

it('withLock(output, id, run) lets one run at a time, also where all find a lock that was left behind', async () => {
  // Many rounds: who removes what depends on the order in which the system answers.
  for (let round = 0; round < 100; round++) {
    writeFileSync(lock('left'), JSON.stringify({host: hostname(), pid: dead}));
    const {taken, together} = await contend('left');
    expect(taken).toBeGreaterThan(0);
    expect(together).toBe(1);
  }
  expect(readdirSync(join(output, sweepsFolder))).toEqual([]);
});

it('withLock(output, id, run) removes a lock that was left behind, also after one that died while it did so', async () => {
  writeFileSync(lock('twice'), JSON.stringify({host: hostname(), pid: dead}));
  writeFileSync(`${lock('twice')}.left`, JSON.stringify({host: hostname(), pid: dead}));
  expect((await contend('twice')).together).toBe(1);
  expect(readdirSync(join(output, sweepsFolder))).toEqual([]);
});

it('withLock(output, id, run) leaves a lock to the process that is removing it', async () => {
  const left = JSON.stringify({host: hostname(), pid: dead});
  writeFileSync(lock('removed'), left);
  writeFileSync(`${lock('removed')}.left`, JSON.stringify({host: hostname(), pid: process.pid}));
  await expect(withLock(output, 'removed', () => Promise.resolve())).rejects.toThrow(
    `by process ${String(process.pid)}: wait for it`,
  );
  expect(readFileSync(lock('removed'), 'utf8')).toBe(left);
  for (const name of readdirSync(join(output, sweepsFolder))) rmSync(join(output, sweepsFolder, name));
});

it('withLock(output, id, run) does not judge processes of another machine', async () => {
  writeFileSync(lock('far'), JSON.stringify({host: 'elsewhere', pid: dead}));
  await expect(withLock(output, 'far', () => Promise.resolve())).rejects.toThrow(
    `This sweep is being measured by process ${String(dead)} on elsewhere: wait for it`,
  );
  expect(existsSync(lock('far'))).toBe(true);
});

it('withLock(output, id, run) takes a lock that cannot be read for one that is held', async () => {
  writeFileSync(lock('empty'), '');
  await expect(withLock(output, 'empty', () => Promise.resolve())).rejects.toThrow('by another process');
});

it('withLock(output, id, run) lets go of no lock but its own', async () => {
  await withLock(output, 'own', () => {
    expect(JSON.parse(readFileSync(lock('own'), 'utf8'))).toMatchObject({host: hostname(), pid: process.pid});
    writeFileSync(lock('own'), 'of another one');
    return Promise.resolve();
  });
  expect(readFileSync(lock('own'), 'utf8')).toBe('of another one');
});
