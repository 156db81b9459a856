import {spawnSync} from 'node:child_process';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {project, temporaryFolder} from '../support/project.js';
import {smallModelTrace} from '../support/small-model-trace.js';

const file = join(temporaryFolder(), 'small.pt.trace.json');
writeFileSync(file, smallModelTrace());

function stats(report: string, ...selection: string[]): Record<string, unknown>[] {
  const args = [join(project, 'dist', 'cli.cjs'), 'stats', file, '-r', report, '--format', 'json', ...selection];
  const {status, stdout, stderr} = spawnSync(process.execPath, args, {encoding: 'utf8'});
  expect({status, stderr}).toEqual({status: 0, stderr: ''});
  return JSON.parse(stdout) as Record<string, unknown>[];
}

it('gpu-lens stats -r roofline_sum is of a step, a device or a window', () => {
  const counts = (...selection: string[]) => stats('roofline_sum', ...selection).map(row => row['Instances']);
  expect(counts()).toEqual([8, 2, 2, 2, 2]);
  expect(counts('--step', '2')).toEqual([4, 1, 1, 1, 1]);
  expect(counts('--device', '0')).toEqual([8, 2, 2, 2, 2]);
  // The second step begins 1 ms after the first.
  expect(counts('--from', '0', '--to', '900000')).toEqual([4, 1, 1, 1, 1]);
});

it('gpu-lens stats -r mfu_sum is of a step, and -r precision_sum of a range', () => {
  expect(stats('mfu_sum').map(row => row['Step'])).toEqual([1, 2]);
  expect(stats('mfu_sum', '--step', '2').map(row => [row['Step'], row['GPUs']])).toEqual([[2, 1]]);
  expect(stats('precision_sum', '--filter-nvtx', 'mlp')).toEqual([
    {Range: 'mlp', Pass: 'forward', Operators: 6, Inputs: 'bfloat16 × 14', Casts: null},
  ]);
});
