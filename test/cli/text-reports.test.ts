import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {run} from '../support/command-line.js';
import {temporaryFolder} from '../support/project.js';

const path = join(temporaryFolder(), 'notes.md');
writeFileSync(
  path,
  `# Forward

| Time | Total Time | Instances | Name |
|---|---|---|---|
| 60.4% | 83.241 ms | 217 | gemm… |

| Model | Fwd (ms) |
|---|---|
| small | 33.29 ± 0.71 |
`,
);

describe('gpu-lens on a text', () => {
  it('info tells its tables and the results of its benchmarks', () => {
    const info = JSON.parse(run('info', path, '--format', 'json').stdout) as Record<string, unknown>;
    expect(info).toMatchObject({
      format: 'text',
      tables: [
        {report: 'cuda_gpu_kern_sum', title: 'Forward', run: '', line: 3, rows: 1},
        {report: 'benchmark', line: 7, rows: 1},
      ],
      benchmarks: [
        {results: [{parameters: {Model: 'small'}, measure: 'Fwd', unit: 'ns', value: 33_290_000, deviation: 710_000}]},
      ],
    });
  });

  it('stats prints all tables, or those that are asked for, with nsys’s headers and ns', () => {
    expect(Object.keys(JSON.parse(run('stats', path, '--format', 'json').stdout) as object)).toEqual([
      'cuda_gpu_kern_sum',
      'benchmark',
    ]);
    expect(JSON.parse(run('stats', path, '-r', 'cuda_gpu_kern_sum', '--format', 'json').stdout)).toEqual([
      {'Time (%)': 60.4, 'Total Time (ns)': 83_241_000, Instances: 217, Name: 'gemm…'},
    ]);
  });

  it('stats says what the text has where it lacks a table', () => {
    const {status, stderr} = run('stats', path, '-r', 'osrt_sum', '--format', 'csv');
    expect({status, stderr}).toEqual({
      status: 0,
      stderr: 'SKIPPED: the text has no table osrt_sum; it has cuda_gpu_kern_sum, benchmark.\n',
    });
    expect(run('stats', path, '-r', 'nothing').status).toBe(2);
  });
});
