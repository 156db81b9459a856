import {spawnSync, type SpawnSyncOptions} from 'node:child_process';
import {join} from 'node:path';
import {expect} from 'vitest';
import {expectSchemaOf} from './json-schema.js';
import {project} from './project.js';

/** The built command line. */
export const cli = join(project, 'dist', 'cli.cjs');

/** How a process ended, and what it wrote. */
export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `gpu-lens` as a process of its own; what it prints as JSON must be what docs/schema says. */
export function run(...args: string[]): Ended {
  return runWith({}, ...args);
}

/** The same, with more in its environment. */
export function runWith(env: NodeJS.ProcessEnv, ...args: string[]): Ended {
  return ended({env: {...process.env, ...env}}, args);
}

/** The same, in a working directory. */
export function runIn(cwd: string, ...args: string[]): Ended {
  return ended({cwd}, args);
}

function ended(options: SpawnSyncOptions, args: readonly string[]): Ended {
  const {status, stdout, stderr} = spawnSync(process.execPath, [cli, ...args], {...options, encoding: 'utf8'});
  expectSchemaOf(args, status, stdout);
  return {status, stdout, stderr};
}

/** What `gpu-lens … --format json` prints, when it succeeds and has nothing to tell besides. */
export function json(...args: string[]): unknown {
  const {status, stdout, stderr} = run(...args, '--format', 'json');
  expect({status, stderr}).toEqual({status: 0, stderr: ''});
  return JSON.parse(stdout);
}
