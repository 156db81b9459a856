import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {run} from '../support/command-line.js';
import {temporaryFolder} from '../support/project.js';
import {hasSeeds, seedPath} from '../support/seeds.js';

const folder = temporaryFolder();
const path = join(folder, 'notes.md');
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

  it.each(['table', 'json', 'csv'])('ranges has none to show, also as %s', format => {
    expect(run('ranges', path, '--format', format)).toMatchObject({
      ...{status: 2, stdout: ''},
      stderr:
        'gpu-lens: notes.md is a text with tables, which have no ranges: gpu-lens stats prints them. See gpu-lens ranges --help.\n',
    });
  });

  it('stats says what the text has where it lacks a table', () => {
    const {status, stderr} = run('stats', path, '-r', 'osrt_sum', '--format', 'csv');
    expect({status, stderr}).toEqual({
      status: 0,
      stderr: 'SKIPPED: the text has no table osrt_sum; it has cuda_gpu_kern_sum, benchmark.\n',
    });
    expect(run('stats', path, '-r', 'nothing').status).toBe(2);
  });

  it('export writes its tables, and nothing that it has not', () => {
    const written = (to: string) => {
      const out = join(folder, `notes.${to}`);
      expect(run('export', path, '--to', to, '-o', out)).toMatchObject({status: 0, stdout: ''});
      return readFileSync(out, 'utf8');
    };
    expect(written('csv')).toBe(run('stats', path, '--format', 'csv').stdout);
    for (const to of ['html', 'markdown']) {
      expect(written(to)).toMatch(/83241000[^]*gemm…[^]*small[^]*33290000/);
      expect(written(to)).not.toContain('GPU self');
    }
  });

  it.each(['perfetto', 'speedscope', 'folded', 'svg', 'png'])('export refuses %s', to => {
    expect(run('export', path, '--to', to, '-o', join(folder, 'none'))).toMatchObject({
      status: 2,
      stderr: `gpu-lens: notes.md is a text with tables, which can be written --to csv, html or markdown; not ${to}. See gpu-lens export --help.\n`,
    });
  });

  it.each([
    ['stats', path, '--step', '1'],
    ['export', path, '--to', 'html', '-o', join(folder, 'none'), '--step', '1'],
  ])('%s refuses to select of it', (...args) => {
    const {status, stderr} = run(...args);
    expect(status).toBe(2);
    expect(stderr).toContain('Tables of a text are as they were printed');
  });

  it('flame says what it is', () => {
    expect(run('flame', path)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('notes.md is a text with tables, which have no flame graph') as string,
    });
  });

  it.skipIf(!hasSeeds)('export of a kept text has every row of its tables', () => {
    const out = join(folder, 'seed.csv');
    run('export', seedPath('003'), '--to', 'csv', '-o', out);
    expect(readFileSync(out, 'utf8').match(/\n\n/g)).toHaveLength(17);
    expect(readFileSync(out, 'utf8')).toBe(run('stats', seedPath('003'), '--format', 'csv').stdout);
  });
});
