import {execFileSync} from 'node:child_process';
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {sweepLineText} from '../../src/core/benchmark/sweep-record.js';
import {json, run} from '../support/command-line.js';
import {GpuProgram} from '../support/gpu-program.js';
import {kinetoText} from '../support/kineto-events.js';
import {temporaryFolder} from '../support/project.js';
import {pointResult, sweepLines} from '../support/sweep.js';

const folder = temporaryFolder();
const path = join(folder, 'steps.json');
/** µs of the forward range in each step: the first is warm-up. */
const forwardUs = [5000, 1000, 1200, 1100];
const program = new GpuProgram();
forwardUs.forEach((us, at) => {
  program.range(`ProfilerStep#${String(at)}`, () => {
    if (at === 0) program.call('cudaMalloc', 700);
    program.range('forward', () => program.launch({name: 'ampere_sgemm_128x64_tn', gpu: 300}).python(us - 5));
    program.range('backward', () => program.launch({name: 'softmax_warp_backward', gpu: 100}).python(495));
  });
});
writeFileSync(path, kinetoText(program.events));

/** The rows of the table under a heading. */
function rowsUnder(text: string, heading: RegExp): string[][] {
  const lines = text.split('\n');
  const from = lines.findIndex(line => line.startsWith('## ') && heading.test(line));
  const end = lines.findIndex((line, at) => at > from && line.startsWith('## '));
  return lines
    .slice(from, end)
    .filter(line => line.startsWith('| ') && !line.startsWith('| ---'))
    .map(line => line.slice(2, -2).split(' | '));
}

const usual = {text: ''};

/** What is asked without options is asked once. */
function report(...options: string[]): string {
  if (options.length > 0) return written(options);
  usual.text ||= written(options);
  return usual.text;
}

function written(options: readonly string[]): string {
  const output = join(folder, 'report.md');
  const {status, stderr} = run('report', path, '-o', output, ...options);
  expect({status, stderr}).toMatchObject({status: 0});
  return readFileSync(output, 'utf8');
}

describe('gpu-lens report', () => {
  it('answers how long passes take, with and without warm-up, with an interval', () => {
    const text = report();
    const withFirst = rowsUnder(text, /CPU, including warm-up/).find(([range]) => range === 'forward');
    // The mean is 2,075 µs.
    expect(withFirst?.slice(0, 3)).toEqual(['forward', '4', '2.08 ms']);
    const without = rowsUnder(text, /without the first instance\?$/).find(([range]) => range === 'forward');
    // 1,100 ± 100 µs of three; t of 2 degrees of freedom is 4.303: 1,100 ± 248.4.
    expect(without).toEqual(['forward', '3', '1.10 ms', '100 µs', '1.00 ms', '1.20 ms', '852 µs to 1.35 ms']);
  });

  it('compares softmax with the products of attention in time and FLOP', () => {
    const attention = new GpuProgram();
    const of = (...dims: readonly (readonly number[])[]) => ({
      'Input Dims': dims,
      'Input type': dims.map(() => 'float'),
    });
    // Scores of 8 heads: 2 · 8 · 512 · 64 · 512 FLOP are 0.268 GFLOP, and softmax has 3 for each of 8 · 512 · 512.
    attention.launch({operator: 'aten::bmm', gpu: 100, args: of([8, 512, 64], [8, 64, 512])});
    attention.launch({operator: 'aten::_softmax', name: 'softmax_warp_forward', gpu: 50, args: of([8, 512, 512])});
    attention.launch({operator: 'aten::bmm', gpu: 100, args: of([8, 512, 512], [8, 512, 64])});
    const file = join(folder, 'attention.json');
    writeFileSync(file, kinetoText(attention.events));
    expect(run('report', file, '-o', join(folder, 'attention.md'))).toMatchObject({status: 0});
    const rows = rowsUnder(readFileSync(join(folder, 'attention.md'), 'utf8'), /softmax compare/);
    expect(rows.slice(1)).toEqual([
      ['products of attention', '2', '200 µs', '80 %', '0.537', '2684.4'],
      ['softmax', '1', '50.0 µs', '20 %', '0.006', '125.8'],
    ]);
  });

  it('tells what only the first step did, which kernel costs most, and what is no product', () => {
    const text = report();
    expect(rowsUnder(text, /first step/)[1]).toEqual(['cudaMalloc', '700 µs', '1', '0 ns', '0']);
    expect(rowsUnder(text, /across all passes/)[1]).toEqual(['ampere_sgemm_128x64_tn', '4', '1.20 ms', '75 %']);
    expect(rowsUnder(text, /What takes time besides matrix products/)[2]).toEqual(['softmax', '4', '400 µs', '25 %']);
    expect(rowsUnder(text, /What slows it down/).length).toBeGreaterThan(1);
  });

  it('gives the command behind each answer, which gives it again', () => {
    const [command = ''] = /^ {4}gpu-lens query .*CASE WHEN name LIKE '\\''%tf32.*$/m.exec(report()) ?? [];
    const words = execFileSync('sh', ['-c', `printf '%s\\0' ${command.trim().replace(/^gpu-lens /, '')}`], {
      encoding: 'utf8',
    });
    const [, , sql = ''] = words.split('\0');
    expect(json('query', path, sql)).toEqual([
      {precision: 'fp32', kernels: 4, total_ns: 1_200_000, share_percent: 100},
    ]);
  });

  it('answers questions of a file, and says which of them cannot be asked', () => {
    const questions = join(folder, 'questions.sql');
    writeFileSync(
      questions,
      "-- How often is memory allocated?\n-- By name.\nSELECT name, count(*) AS calls FROM api_calls\nWHERE name LIKE 'cudaMalloc%' GROUP BY name;\n\n-- What is wrong?\nSELECT nowhere FROM kernels;\n",
    );
    const text = report('--questions', questions);
    expect(rowsUnder(text, /How often is memory allocated\?/)[1]).toEqual(['cudaMalloc', '1']);
    expect(rowsUnder(text, /What is wrong\?/)[1]?.[0]).toContain('nowhere');
    writeFileSync(questions, '-- nothing\n');
    expect(run('report', path, '-o', join(folder, 'none.md'), '--questions', questions)).toMatchObject({status: 1});
  });

  it('writes a page with a picture, and names are text in it', () => {
    const output = join(folder, 'report.html');
    expect(run('report', path, '-o', output).status).toBe(0);
    const page = readFileSync(output, 'utf8');
    expect(page).toContain('<svg');
    expect(page).toContain('Where the answers come from');
    expect(page).not.toContain('<script');
  });

  it('of Markdown has its picture beside it', () => {
    expect(report()).toContain('![Flame graph](report.svg)');
    expect(readFileSync(join(folder, 'report.svg'), 'utf8')).toContain('<svg xmlns="http://www.w3.org/2000/svg"');
  });

  it('of two profiles says how they differ, what is gone and new, and answers side by side', () => {
    const changed = new GpuProgram();
    for (const at of [0, 1, 2, 3]) {
      changed.range(`ProfilerStep#${String(at)}`, () => {
        changed.range('forward', () => changed.launch({name: 'ampere_sgemm_128x64_tn', gpu: 120}).python(995));
        changed.range('backward', () => changed.launch({name: 'softmax_warp_backward', gpu: 100}).python(495));
      });
    }
    const file = join(folder, 'changed.json');
    writeFileSync(file, kinetoText(changed.events));
    const output = join(folder, 'compared.md');
    expect(run('report', path, file, '-o', output)).toMatchObject({status: 0});
    const text = readFileSync(output, 'utf8');
    // 300 and 120 µs a step: 180 less.
    const [, change] = rowsUnder(text, /What changed: kernels/);
    expect(change?.slice(0, 4)).toEqual(['ampere_sgemm_128x64_tn', '300 µs', '120 µs', '−180 µs']);
    const shares = rowsUnder(text, /across all passes/);
    expect(shares.filter(([, kernel]) => kernel?.includes('sgemm'))).toEqual([
      ['before', 'ampere_sgemm_128x64_tn', '4', '1.20 ms', '75 %'],
      ['after', 'ampere_sgemm_128x64_tn', '4', '480 µs', '54.55 %'],
    ]);
    const found = rowsUnder(text, /What slows it down/);
    expect(found.find(([state]) => state === 'gone')?.[1]).toContain('The measurement includes warm-up');
    expect(text).toContain('    gpu-lens compare steps.json changed.json');
    expect(readFileSync(join(folder, 'compared.svg'), 'utf8')).toContain('−180 µs');
  });

  it('of a sweep has means with and without warm-up, phases and memory, and the command that prints them again', () => {
    const sweep = join(folder, 'sweep');
    mkdirSync(sweep);
    const phaseNs = {forward: [1e6, 1e6, 1e6], backward: [2e6, 2e6, 2e6]};
    const results = (['fp32', 'bf16'] as const).map(precision =>
      pointResult({precision, result: {warmupNs: [9e6], stepNs: [2e6, 3e6, 4e6], phaseNs}}),
    );
    writeFileSync(join(sweep, 'results.jsonl'), sweepLines(results).map(sweepLineText).join(''));
    const output = join(folder, 'sweep.md');
    expect(run('report', sweep, '-o', output)).toMatchObject({status: 0, stderr: ''});
    const text = readFileSync(output, 'utf8');
    const [, measured, all] = rowsUnder(text, /How long does a step take/);
    // 3 ± 1 ms of three; t of 2 degrees of freedom is 4.303: 3 ± 2.48. With 9 ms before: 4.5 ± 3.11, and 3.182 · 3.11 / 2.
    expect(measured?.slice(1)).toEqual(['without warm-up', '3', '3.00 ms', '1.00 ms', '516 µs to 5.48 ms']);
    expect(all?.slice(1)).toEqual(['with warm-up', '4', '4.50 ms', '3.11 ms', '0 ns to 9.45 ms']);
    expect(rowsUnder(text, /first step/)[1]?.slice(1)).toEqual(['9.00 ms', '3.00 ms', '3']);
    expect(rowsUnder(text, /forward, backward and optimizer/)[2]?.slice(1, 4)).toEqual(['backward', '3', '2.00 ms']);
    expect(rowsUnder(text, /What differs: bf16 against fp32/).length).toBeGreaterThan(1);
    expect(readFileSync(join(folder, 'sweep.svg'), 'utf8')).toContain('3.00 ms ± 1.00 ms');
    const rows = json('bench', sweep) as readonly {readonly meanNs: number}[];
    expect(rows.map(({meanNs}) => meanNs)).toEqual([3e6, 3e6]);
  });

  it('counts the FLOP of attention by the model’s shape, and takes no other text for one', () => {
    const attention = new GpuProgram();
    attention.range('computing attention scores', () => attention.launch({name: 'sgemm', gpu: 40}));
    attention.range('computing softmax', () => attention.launch({name: 'softmax', gpu: 60}));
    const file = join(folder, 'ranges.json');
    writeFileSync(file, kinetoText(attention.events));
    const output = join(folder, 'ranges.md');
    expect(run('report', file, '-o', output, '--attention', '2x4x128x64')).toMatchObject({status: 0});
    // 2 · 4 · 128² are 131,072 scores: 128 FLOP each in the product, 3 in softmax.
    expect(rowsUnder(readFileSync(output, 'utf8'), /given the model’s shape/).slice(1)).toEqual([
      ['softmax', '1', '60.0 µs', '60 %', '0', '2.29 %', '6.6'],
      ['products of attention', '1', '40.0 µs', '40 %', '0.017', '97.71 %', '419.4'],
    ]);
    expect(run('report', file, '-o', output, '--attention', '2x4x128')).toMatchObject({status: 2});
  });

  it('needs a file and a place to write', () => {
    expect(run('report', path).status).toBe(2);
    expect(run('report', '-o', 'x.md').status).toBe(2);
  });
});
