import {spawnSync, type SpawnSyncOptions} from 'node:child_process';
import {join} from 'node:path';
import {expect} from 'vitest';
import {expectSchemaOf} from './json-schema.js';
import {project} from './project.js';

/** While a test waits for a command in this way, its own limit cannot end it: a command that hangs would hold up all. */
const longestMs = 1_200_000;

/** The built command line. */
export const cli = join(project, 'dist', 'cli.cjs');

/** How a process ended, and its output. */
export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `gpu-lens` in a separate process; JSON that it prints must match docs/schema. */
export function run(...args: string[]): Ended {
  return runWith({}, ...args);
}

/** The same, with further environment variables. */
export function runWith(env: NodeJS.ProcessEnv, ...args: string[]): Ended {
  return ended({env: {...process.env, ...env}}, args);
}

/** The same, in a working directory. */
export function runIn(cwd: string, ...args: string[]): Ended {
  return ended({cwd}, args);
}

function ended(options: SpawnSyncOptions, args: readonly string[]): Ended {
  const {status, stdout, stderr} = spawnSync(process.execPath, [cli, ...args], {
    ...options,
    encoding: 'utf8',
    timeout: longestMs,
    killSignal: 'SIGKILL',
  });
  expectSchemaOf(args, status, stdout);
  return {status, stdout, stderr};
}

/** Returns what `gpu-lens … --format json` prints; expects it to succeed without messages. */
export function json(...args: string[]): unknown {
  const {status, stdout, stderr} = run(...args, '--format', 'json');
  expect({status, stderr}).toEqual({status: 0, stderr: ''});
  return JSON.parse(stdout);
}
