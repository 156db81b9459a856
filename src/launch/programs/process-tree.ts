import {randomUUID} from 'node:crypto';
import {readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {runProgram} from './run-program.js';

/** In the environment of every process of a run, so that all can be found when the run is to end. */
const markVariable = 'GPULENS_RUN';

/** A mark that no other run has, as `NAME=value` and as part of an environment. */
export function newMark(): {readonly mark: string; readonly marked: NodeJS.ProcessEnv} {
  const id = randomUUID();
  return {mark: `${markVariable}=${id}`, marked: {[markVariable]: id}};
}

/** The runner's supervisor, which is the first process, gives others so long to end, or 120 s while they write. */
const supervisorGraceMs = 10_000;
const supervisorWritingGraceMs = 120_000;
/** What it needs itself, to make an end of those that do not listen. */
const marginMs = 8_000;
/** How long what is left then has. */
const graceMs = 3_000;
const pollMs = 100;

/** How a run is ended. */
export interface EndingOptions {
  /** Whether the run writes what it recorded just now. */
  readonly isWriting?: (() => boolean) | undefined;
  /** What the first process is asked with. */
  readonly signal?: NodeJS.Signals | undefined;
  /** How long the first process gives the others. */
  readonly graceMs?: number | undefined;
}

/**
 * Ends every process of a run: first those that descend from `pid`, then those that left that tree (a launcher's
 * workers have sessions of their own, and lose their parent with it) but still carry the run's environment variable.
 * The first process is asked alone, for it may ask the others itself, and who is asked twice may not finish what it
 * writes. What is left after a while, or when that process has gone, is asked too, and made to end.
 *
 * @param mark `NAME=value`, in the environment of every process of the run and of no other one
 */
export async function endRun(pid: number | undefined, mark: string, options: EndingOptions = {}): Promise<void> {
  if (process.platform === 'win32') {
    // Windows has no signals to ask with, and ends a tree by itself.
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
  // Those that are being ended may still start others.
  for (let round = 0; left.length > 0 && round < 20; round++) {
    for (const one of left) send(one, 'SIGKILL');
    await delay(pollMs);
    left = await processesOf(pid, mark);
  }

  /** Waits while what is left of the run is such, and returns it. */
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
  // A stopped process would never hear that it is to end.
  for (const signal of [how, 'SIGCONT'] as const) send(pid, signal);
}

interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly isZombie: boolean;
}

/** The ids of a process, of its descendants and of whoever carries the mark; never this process itself. */
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
