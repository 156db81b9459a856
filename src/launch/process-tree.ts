import {readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {runProgram} from './run-program.js';

/** How long processes have, after they were asked to end, to write what they recorded. */
const graceMs = 8_000;
const pollMs = 100;

/**
 * Ends every process of a run: first those that descend from `pid`, then those that left that tree (a launcher's
 * workers have sessions of their own, and lose their parent with it) but still carry the run's environment variable.
 * They are asked first, and made to end after a while.
 *
 * @param mark `NAME=value`, in the environment of every process of the run and of no other one
 */
export async function endRun(pid: number | undefined, mark: string): Promise<void> {
  if (process.platform === 'win32') {
    // Windows has no signals to ask with, and ends a tree by itself.
    if (pid !== undefined) await runProgram('taskkill', ['/T', '/F', '/PID', String(pid)]).catch(() => null);
    return;
  }
  let left = await processesOf(pid, mark);
  // A stopped process would never hear that it is to end.
  for (const one of left) for (const signal of ['SIGTERM', 'SIGCONT'] as const) send(one, signal);
  for (let waitedMs = 0; left.length > 0 && waitedMs < graceMs; waitedMs += pollMs) {
    await delay(pollMs);
    left = await processesOf(pid, mark);
  }
  // Those that are being ended may still start others.
  for (let round = 0; left.length > 0 && round < 20; round++) {
    for (const one of left) send(one, 'SIGKILL');
    await delay(pollMs);
    left = await processesOf(pid, mark);
  }
}

interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly isZombie: boolean;
}

/** The ids of a process, of its descendants and of whoever carries the mark; never this process itself. */
async function processesOf(root: number | undefined, mark: string): Promise<number[]> {
  const rows = await (process.platform === 'linux' ? linuxProcesses() : psProcesses());
  const found = new Set<number>(root === undefined ? [] : [root]);
  for (const {pid} of rows) if (await carries(pid, mark)) found.add(pid);
  for (let before = -1; before !== found.size;) {
    before = found.size;
    for (const {pid, parent} of rows) if (found.has(parent)) found.add(pid);
  }
  found.delete(process.pid);
  return rows.filter(({pid, isZombie}) => found.has(pid) && !isZombie).map(({pid}) => pid);
}

async function linuxProcesses(): Promise<ProcessRow[]> {
  const names = (await readdir('/proc')).filter(name => /^\d+$/.test(name));
  const rows = await Promise.all(
    names.map(async name => {
      // "17 (a name) S 1 …": the name may hold anything, so fields count from its last bracket.
      const text = await readFile(join('/proc', name, 'stat'), 'utf8').catch(() => '');
      const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
      return {pid: Number(name), parent: Number(fields[1]), isZombie: fields[0] === 'Z' || text === ''};
    }),
  );
  return rows.filter(({parent}) => !Number.isNaN(parent));
}

async function psProcesses(): Promise<ProcessRow[]> {
  let output = '';
  const onOutput = (text: string) => (output += text);
  await runProgram('ps', ['-A', '-o', 'pid=,ppid=,stat='], {onOutput}).catch(() => null);
  return output
    .split('\n')
    .map(line => line.trim().split(/\s+/))
    .filter(fields => fields.length === 3)
    .map(([pid, parent, state = '']) => ({
      pid: Number(pid),
      parent: Number(parent),
      isZombie: state.startsWith('Z'),
    }));
}

/** Whether a process has the mark in its environment; only Linux shows that. */
async function carries(pid: number, mark: string): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  const environment = await readFile(`/proc/${String(pid)}/environ`, 'utf8').catch(() => '');
  return environment.split('\0').includes(mark);
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}
