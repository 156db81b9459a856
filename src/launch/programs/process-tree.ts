import {randomUUID} from 'node:crypto';
import {readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {runProgram} from './run-program.js';

/** A variable in the environment of every process of a run, so that all can be found to end the run. */
const markVariable = 'GPULENS_RUN';

/** Returns a unique mark, as `NAME=value` and as part of an environment. */
export function newMark(): {readonly mark: string; readonly marked: NodeJS.ProcessEnv} {
  const id = randomUUID();
  return {mark: `${markVariable}=${id}`, marked: {[markVariable]: id}};
}

/** How long the first process, the runner's supervisor, gives the others to end; 120 s while they write. */
const supervisorGraceMs = 10_000;
const supervisorWritingGraceMs = 120_000;
/** The supervisor's own time to end processes that ignore it. */
const marginMs = 8_000;
/** How long the remaining processes then have. */
const graceMs = 3_000;
const pollMs = 100;

/** How a run is ended. */
export interface EndingOptions {
  /** Whether the run is writing its recording now. */
  readonly isWriting?: (() => boolean) | undefined;
  /** The signal sent to the first process. */
  readonly signal?: NodeJS.Signals | undefined;
  /** How long the first process gives the others. */
  readonly graceMs?: number | undefined;
}

/**
 * Ends every process of a run: first the descendants of `pid`, then processes that left that tree but still carry the
 * run's environment variable (a launcher's workers have sessions of their own, and lose their parent when it ends).
 * Only the first process is signalled at first: it may signal the others itself, and a process signalled twice may not
 * finish its writing. After a while, or once the first process has ended, the rest are signalled, then killed.
 *
 * @param mark `NAME=value`, in the environment of every process of the run and of no other one
 */
export async function endRun(pid: number | undefined, mark: string, options: EndingOptions = {}): Promise<void> {
  if (process.platform === 'win32') {
    // Windows has no such signals, but can end a process tree.
    if (pid !== undefined) await runProgram('taskkill', ['/T', '/F', '/PID', String(pid)]).catch(() => null);
    return;
  }
  const {isWriting, signal, firstGraceMs} = completed(options);
  let left = await processesOf(pid, mark);
  if (pid !== undefined && left.includes(pid)) {
    ask(pid, signal);
    left = await waitWhile(
      rest => rest.includes(pid),
      firstGraceMs + marginMs,
      Math.max(firstGraceMs, supervisorWritingGraceMs) + marginMs,
    );
  }
  for (const one of left) ask(one);
  left = await waitWhile(rest => rest.length > 0, graceMs);
  // Processes that are being ended may still start others.
  for (let round = 0; left.length > 0 && round < 20; round++) {
    for (const one of left) send(one, 'SIGKILL');
    await delay(pollMs);
    left = await processesOf(pid, mark);
  }

  /** Waits while the condition holds for the run's remaining processes, and returns them. */
  async function waitWhile(
    isSo: (rest: readonly number[]) => boolean,
    limitMs: number,
    writingLimitMs = limitMs,
  ): Promise<number[]> {
    const beginMs = performance.now();
    const isInTime = () => performance.now() - beginMs < (isWriting() ? writingLimitMs : limitMs);
    let rest = await processesOf(pid, mark);
    while (rest.length > 0 && isSo(rest) && isInTime()) {
      await delay(pollMs);
      rest = await processesOf(pid, mark);
    }
    return rest;
  }
}

function completed({isWriting = () => false, signal = 'SIGTERM', graceMs = supervisorGraceMs}: EndingOptions) {
  return {isWriting, signal, firstGraceMs: graceMs};
}

function ask(pid: number, how: NodeJS.Signals = 'SIGTERM'): void {
  // A stopped process does not receive the signal until it continues.
  for (const signal of [how, 'SIGCONT'] as const) send(pid, signal);
}

interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly isZombie: boolean;
}

/** Returns the ids of a process, its descendants and every process with the mark; never this process. */
export async function processesOf(root: number | undefined, mark: string): Promise<number[]> {
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
      // "17 (a name) S 1 …": the name may contain anything, so fields are counted from the last bracket.
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

/** Returns whether a process has the mark in its environment; only Linux shows that. */
async function carries(pid: number, mark: string): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  const environment = await readFile(`/proc/${String(pid)}/environ`, 'utf8').catch(() => '');
  return environment.split('\0').includes(mark);
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has already ended.
  }
}
