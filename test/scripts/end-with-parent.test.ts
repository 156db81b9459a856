import {execFileSync, spawn, spawnSync, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {join} from 'node:path';
import {afterEach, describe, expect, it, vi} from 'vitest';
import {project} from '../support/project.js';
import {patience} from '../support/patience.js';

const module = (name: string) => JSON.stringify(join(project, 'scripts', 'lib', name));
const forEver = 'setInterval(() => {}, 1000);';
/** A program that starts another, and tells both process ids. */
const family = `
  const child = require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(forEver)}]);
  console.log(process.pid + ' ' + child.pid);
  ${forEver}`;

let started: number[] = [];
afterEach(() => {
  for (const pid of started) end(pid);
  started = [];
});

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // As it should be.
  }
}

/** Runs a script that prints the processes that it started, and then goes on for ever. */
async function script(code: string): Promise<{parent: ChildProcess; pids: readonly number[]}> {
  const parent = spawn(process.execPath, ['--input-type=module', '-e', code], {stdio: ['pipe', 'pipe', 'inherit']});
  const [line] = (await once(parent.stdout, 'data')) as [Buffer];
  const pids = line.toString().trim().split(' ').map(Number);
  started.push(...pids, parent.pid ?? 0);
  return {parent, pids};
}

/** Whether a process does anything: one that has ended may wait for whoever asks for its status. */
function isRunning(pid: number): boolean {
  const {stdout} = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], {encoding: 'utf8'});
  return /^[^Z]/.test(stdout.trim());
}

const areGone = (pids: readonly number[]) => vi.waitUntil(() => !pids.some(isRunning), patience).then(() => true);

/** A script that starts the family in a group of its own, as a server is. */
const guarded = (then = '') => `
  import {spawn} from 'node:child_process';
  import {endWithParent} from ${module('end-with-parent.mjs')};
  const child = spawn(process.execPath, ['-e', ${JSON.stringify(family)}], {detached: true, stdio: 'pipe'});
  const takeBack = endWithParent(child.pid);
  child.stdout.on('data', line => { ${then} process.stdout.write(line); });
  ${forEver}`;

// Windows has no groups and no such signals.
describe.skipIf(process.platform === 'win32')('endWithParent(pid)', () => {
  it.each(['SIGKILL', 'SIGTERM', 'SIGHUP', 'SIGINT'] as const)(
    'ends the group where %s ends the script',
    async signal => {
      const {parent, pids} = await script(guarded());
      expect(pids.map(isRunning)).toEqual([true, true]);
      parent.kill(signal);
      expect(await areGone(pids)).toBe(true);
    },
  );

  it('ends the group where the script ends by itself, with a failure or without', async () => {
    for (const way of ['setImmediate(() => process.exit(0));', 'setImmediate(() => process.exit(1));']) {
      const {pids} = await script(guarded(way));
      expect(await areGone(pids)).toBe(true);
    }
  });

  it('leaves alone what was taken back', async () => {
    const {parent, pids} = await script(guarded('takeBack(); child.unref();'));
    parent.kill('SIGKILL');
    const commands = () => execFileSync('ps', ['-axo', 'args='], {encoding: 'utf8'});
    await vi.waitUntil(() => !commands().includes(`watchdog.cjs ${String(pids[0])}`), patience);
    expect(pids.map(isRunning)).toEqual([true, true]);
  });
});

describe.skipIf(process.platform === 'win32')('run(program, args)', () => {
  it.each(['SIGTERM', 'SIGHUP', 'SIGINT'] as const)('ends the program where %s ends the script', async signal => {
    const telling = `console.log(process.pid); ${forEver}`;
    const {parent, pids} = await script(`
      import {run} from ${module('run.mjs')};
      await run(process.execPath, ['-e', ${JSON.stringify(telling)}]);`);
    expect(pids.map(isRunning)).toEqual([true]);
    parent.kill(signal);
    const [status] = (await once(parent, 'exit')) as [number];
    expect(status).toBeGreaterThan(128);
    expect(await areGone(pids)).toBe(true);
  });
});
