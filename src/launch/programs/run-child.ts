import {spawn, type ChildProcess, type StdioOptions} from 'node:child_process';
import {constants} from 'node:os';
import {TraceError} from '../../core/base/errors.js';
import {endRun, newMark} from './process-tree.js';

export interface ChildOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly stdio: StdioOptions;
  /** Ends the child with everything that it started. */
  readonly signal: AbortSignal;
  /** Whether the child writes what it recorded just now, for which it is given more time to end. */
  readonly isWriting?: () => boolean;
  /** How long the child gives what it started, when it is to end. */
  readonly graceMs?: number | undefined;
  /** Whether signals that mean nothing to us are the child's. */
  readonly passesOnSignals?: boolean;
  /** Called once the child has been started, with what is in the environment of all that it starts (`NAME=value`). */
  readonly onStart?: (child: ChildProcess, mark: string) => void;
}

/**
 * Runs a program to its end and returns its exit status, 128 + n where signal n ended it; that of an interrupt where it
 * was to end before it had begun.
 *
 * @throws TraceError `launch/not-started` with the reason
 */
export async function runChild(program: string, args: readonly string[], options: ChildOptions): Promise<number> {
  const {mark, marked} = newMark();
  const {signal} = options;
  if (signal.aborted) return 128 + constants.signals.SIGINT;
  const endings: Promise<void>[] = [];
  let child: ChildProcess | null = null;
  const end = () => {
    const {isWriting, graceMs} = options;
    if (endings.length > 0) return;
    endings.push(endRun(child?.pid, mark, {isWriting, graceMs, signal: endingSignal(signal.reason)}));
  };
  const passOn = (name: NodeJS.Signals) => child?.kill(name);
  if (options.passesOnSignals === true) for (const name of othersSignals) process.on(name, passOn);
  const status = await new Promise<number>((resolve, reject) => {
    child = spawn(program, args, {
      cwd: options.cwd,
      env: {...options.env, ...marked},
      stdio: options.stdio,
      windowsHide: true,
    });
    child.on('error', error => {
      reject(new TraceError('launch/not-started', `${program} could not be started: ${reasonOf(error)}.`));
    });
    child.on('close', (code, name) => {
      resolve(code ?? 128 + (name === null ? 0 : constants.signals[name]));
    });
    signal.addEventListener('abort', end, {once: true});
    options.onStart?.(child, mark);
  });
  signal.removeEventListener('abort', end);
  for (const name of othersSignals) process.off(name, passOn);
  // Ctrl+C in a terminal reaches the command itself; what it started may not have heard.
  if (endedBySignal.has(status)) end();
  await Promise.all(endings);
  return status;
}

/** What a scheduler tells its jobs by: that they are to save, or will be preempted. Node would start its inspector at the first. */
const othersSignals = process.platform === 'win32' ? [] : (['SIGUSR1', 'SIGUSR2'] as const);

/** The signal that a person ended us with, which is the command's, too. */
function endingSignal(reason: unknown): NodeJS.Signals {
  return reason === 'SIGINT' || reason === 'SIGHUP' ? reason : 'SIGTERM';
}

/** By a person: a crash (SIGSEGV, SIGABRT) ends nothing but itself. */
const endedBySignal: ReadonlySet<number> = new Set([1, 2, 3, 9, 15].map(number => 128 + number));

function reasonOf(error: NodeJS.ErrnoException): string {
  switch (error.code) {
    case 'ENOENT':
      return 'it was not found, or the folder to run it in was not';
    case 'EACCES':
      return 'it is no program, or may not be run';
    default:
      return error.message;
  }
}
