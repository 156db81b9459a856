import {execFile} from 'node:child_process';
import type {Limits} from './confined.js';

/** How a command line ended. */
export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const longestOutput = 256 << 20;
const readLimitMs = 600_000;

/**
 * Runs the command line in the first root. What runs a person's program has its own limits of time.
 *
 * @param program path of the built command line
 */
export function runCommand(
  program: string,
  args: readonly string[],
  {roots}: Limits,
  isEndless: boolean,
  signal: AbortSignal,
): Promise<Ended> {
  const timeout = isEndless ? 0 : readLimitMs;
  const options = {cwd: roots[0], maxBuffer: longestOutput, timeout, signal, windowsHide: true};
  return new Promise(resolve => {
    // An end by SIGTERM lets it end what it has started.
    execFile(process.execPath, [program, ...args], options, (error, stdout, stderr) => {
      const code = error?.code;
      resolve({status: error ? (typeof code === 'number' ? code : null) : 0, stdout, stderr});
    }).stdin?.end();
  });
}

/** Returns the notes among what was told on standard error. */
export function notesIn(stderr: string): readonly string[] {
  return stderr.split('\n').flatMap(line => (line.startsWith('Note: ') ? [line.slice('Note: '.length)] : []));
}
