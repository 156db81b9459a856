import {execFile} from 'node:child_process';
import {noNsysVariable} from '../nsys-environment.js';
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
 * Runs the command line in the first root.
 *
 * @param program path of the built command line
 * @param runsProgram whether the command runs a person's program: it then has its own limits of time; one that only
 *   reads must not run nsys
 */
export function runCommand(
  program: string,
  args: readonly string[],
  {roots}: Limits,
  runsProgram: boolean,
  signal: AbortSignal,
): Promise<Ended> {
  const limits = runsProgram ? {timeout: 0} : {timeout: readLimitMs, env: {...process.env, [noNsysVariable]: '1'}};
  const options = {cwd: roots[0], maxBuffer: longestOutput, signal, windowsHide: true, ...limits};
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
