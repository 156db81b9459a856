import {spawnSync} from 'node:child_process';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {project, temporaryFolder} from '../support/project.js';
import {run} from '../support/command-line.js';
import {kineto, kinetoText} from '../support/kineto-events.js';
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

it('gpu-lens stats tells on standard error what stands below a table, and what a profile lacks', () => {
  const covered = 'of all GPU work has shapes that tell its operations and bytes.';
  expect(run('stats', file, '-r', 'roofline_sum')).toMatchObject({status: 0, stderr: `100 % ${covered}\n`});
  // Other formats are read by programs.
  expect(run('stats', file, '-r', 'roofline_sum', '--format', 'csv').stderr).toBe('');
  const other = join(temporaryFolder(), 'other.json');
  const dims = {'Input Dims': [[10]], 'Input type': ['float']};
  writeFileSync(
    other,
    kinetoText([kineto.op('aten::nonzero', 10, 10, dims), kineto.call(1, 12, 5), kineto.kernel(1, 60, 50)]),
  );
  const lacks = 'operators with GPU work whose shapes tell what they compute: it has shapes of others';
  expect(run('stats', other, '-r', 'roofline_sum')).toEqual({
    status: 0,
    stdout: '',
    stderr: `SKIPPED: other.json does not contain ${lacks}.\n`,
  });
});
