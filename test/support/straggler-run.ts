import {spawnSync} from 'node:child_process';
import {existsSync, mkdirSync, readdirSync, readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect} from 'vitest';
import {cli, json} from './command-line.js';
import {project} from './project.js';

/** The result of a run of test/runner/straggler.py. */
export interface StragglerRun {
  /** The rank that `gpu-lens job` names; null for none. */
  readonly named: number | null;
  /** The fraction of time in which other programs used a rank's core, the larger of both ranks; NaN if unknown. */
  readonly othersPart: number;
}

const python = process.env['GPU_LENS_PYTHON'] ?? '';

/** Whether there is a Python with torch. */
export const canTrain = python !== '';

/**
 * Records twelve steps of two ranks on Gloo, with one core and one thread each, and reads them as one job.
 *
 * @param lateRank the rank that sleeps in its backward pass while the other one waits for it; -1 for none
 * @param lateMs how long
 */
export function stragglerRun(folder: string, lateRank: number, lateMs = 50): StragglerRun {
  mkdirSync(folder, {recursive: true});
  const script = join(project, 'test', 'runner', 'straggler.py');
  const launcher = ['-m', 'torch.distributed.run', '--nproc-per-node', '2', '--standalone'];
  const {status, stderr} = spawnSync(
    process.execPath,
    [
      ...[cli, 'profile', '--active', '12', '--', python, ...launcher, script],
      ...['--late-rank', String(lateRank), '--late-ms', String(lateMs), '--tell', folder],
    ],
    {
      cwd: folder,
      encoding: 'utf8',
      env: {...process.env, OMP_NUM_THREADS: '1', PATH: `${dirname(python)}:${process.env['PATH'] ?? ''}`},
    },
  );
  expect([status, status === 0 ? '' : stderr]).toEqual([0, '']);
  const runs = join(folder, '.gpu-lens', 'runs');
  const job = json('job', ...readdirSync(runs).map(run => join(runs, run))) as {culprit: {rank: number} | null};
  const others = [0, 1].map(rank => join(folder, `others.${String(rank)}`));
  return {
    named: job.culprit?.rank ?? null,
    othersPart: others.every(path => existsSync(path))
      ? Math.max(...others.map(path => Number(readFileSync(path, 'utf8'))))
      : NaN,
  };
}
