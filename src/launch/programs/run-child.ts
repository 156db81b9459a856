import {spawn, type ChildProcess, type StdioOptions} from 'node:child_process';
import {constants} from 'node:os';
import {TraceError} from '../../core/base/errors.js';
import {endRun, newMark} from './process-tree.js';

export interface ChildOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly stdio: StdioOptions;
  /** Ends the child with all its children. */
  readonly signal: AbortSignal;
  /** Whether the child is writing its recording now, which gives it more time to end. */
  readonly isWriting?: () => boolean;
  /** How long the child gives its own children to end. */
  readonly graceMs?: number | undefined;
  /** Whether signals that mean nothing to us are passed on to the child. */
  readonly passesOnSignals?: boolean;
  /** Called once the child has started, with the mark (`NAME=value`) in the environment of all its processes. */
  readonly onStart?: (child: ChildProcess, mark: string) => void;
}

/**
 * Runs a program to its end and returns its exit status, 128 + n if signal n ended it. If it was to end before it had
 * begun, returns the status of an interrupt.
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
  // Ctrl+C in a terminal reaches the command itself, but perhaps not its children.
  if (endedBySignal.has(status)) end();
  await Promise.all(endings);
  return status;
}

/** Signals with which a scheduler warns its jobs to save, or of preemption. Node would start its inspector at the first. */
const othersSignals = process.platform === 'win32' ? [] : (['SIGUSR1', 'SIGUSR2'] as const);

/** Returns the signal with which the user ended us; the command gets the same. */
function endingSignal(reason: unknown): NodeJS.Signals {
  return reason === 'SIGINT' || reason === 'SIGHUP' ? reason : 'SIGTERM';
}

/** Signals sent by a user: a crash (SIGSEGV, SIGABRT) ends only the process itself. */
const endedBySignal: ReadonlySet<number> = new Set([1, 2, 3, 9, 15].map(number => 128 + number));

function reasonOf(error: NodeJS.ErrnoException): string {
  switch (error.code) {
    case 'ENOENT':
      return 'it was not found, or the folder to run it in was not';
    case 'EACCES':
      return 'it is not a program, or may not be run';
    default:
      return error.message;
  }
}
