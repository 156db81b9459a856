import {spawnSync} from 'node:child_process';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {expectSchemaOf} from '../support/json-schema.js';
import {kineto, kinetoText} from '../support/kineto-events.js';
import {notebookTables} from '../support/notebook-tables.js';
import {project, temporaryFolder} from '../support/project.js';
import {readCsv} from '../support/read-csv.js';
import {hasSeeds} from '../support/seeds.js';

const cli = join(project, 'dist', 'cli.cjs');
const folder = temporaryFolder();
const gpt3 = ['--model', 'gpt3-175b', '--system', 'a100-40gb', '--tensor-parallel', '4'];

function run(...args: string[]) {
  const {status, stdout, stderr} = spawnSync(process.execPath, [cli, 'estimate', ...args], {encoding: 'utf8'});
  expectSchemaOf(['estimate', ...args], status, stdout);
  return {status, stdout, stderr};
}

interface Table {
  rows: Record<string, string | number | null>[];
  sums: Record<string, number>;
  commFraction: number;
}

function json(...args: string[]): Record<'mlp' | 'attention' | 'moe', Table> & {input: unknown; gpus: number} {
  const {status, stdout, stderr} = run(...args, '--format', 'json');
  expect({status, stderr}).toEqual({status: 0, stderr: ''});
  return JSON.parse(stdout) as ReturnType<typeof json>;
}

describe.skipIf(!hasSeeds)('gpu-lens estimate --variant printed', () => {
  const [mlp, attention] = hasSeeds ? notebookTables() : [];

  it('prints the cells of the notebook’s tables, in their order', () => {
    const {stdout} = run(...gpt3, '--variant', 'printed');
    const [, ...parts] = stdout.split(/^\*{14} (?:MLP|SA) layer estimates \*{14}$/m);
    const words = (line = '') => line.trim().split(/ +/);
    for (const [at, table] of [mlp, attention].entries()) {
      const lines = (parts[at] ?? '').split('\n');
      expect(words(lines.find(line => line.includes('flops_fwd')))).toEqual(table?.columns);
      // Blank cells are blank in the text: the others stand in the same order.
      const rows = lines.filter(line => /^ *\d+ +[a-z]/.test(line)).map(line => words(line).slice(1));
      expect(rows).toEqual(table?.rows.map(row => row.filter(cell => cell !== '')));
      for (const [name, value] of table?.sums ?? []) expect(parts[at]).toMatch(new RegExp(`^${name} +${value}$`, 'm'));
      expect(parts[at]).toContain(`time spend in comms = ${table?.fraction ?? ''}\n`);
    }
  });

  it('gives them as JSON to full precision, null for a blank', () => {
    const result = json(...gpt3, '--variant', 'printed');
    expect(Object.keys(result.mlp.rows[0] ?? {})).toEqual(mlp?.columns);
    expect(result.mlp.rows[0]).toMatchObject({layer: 'fc1', flops_fwd: 0.618475290624, comm_fwd: null, comm_size: 4});
    expect(String(result.attention.commFraction)).toBe(attention?.fraction);
    expect(result.attention.rows).toHaveLength(9);
  });
});

describe('gpu-lens estimate', () => {
  it('is corrected where nothing else is said', () => {
    const {mlp, attention} = json(...gpt3);
    expect(mlp.commFraction).toBe(0.015003075157270443);
    expect(attention.commFraction).toBe(0.06093178687965916);
  });

  it('gives rows as CSV and Markdown', () => {
    const rows = readCsv(run(...gpt3, '--format', 'csv').stdout);
    expect(rows[0]).toMatchObject({block: 'mlp', layer: 'fc1', flops_fwd: '0.618475290624', comm_fwd: ''});
    expect(rows.filter(({layer}) => layer === 'sum x 96')).toHaveLength(2);
    expect(run(...gpt3, '--format', 'markdown').stdout).toMatch(
      /^\| block \| layer \| flops_fwd \|.*\n\| --- \| --- \| ---: \|/,
    );
  });

  it('takes shape and system from flags', () => {
    const {input, gpus} = json(
      ...['--length', '128', '--embedding', '64', '--heads', '4', '--depth', '2', '--batch', '8', '--causal', 'yes'],
      ...[
        '--attention',
        'flash',
        '--grid',
        '2x2x2',
        '--hbm-gbps',
        '1000',
        '--nvlink-gbps',
        '10',
        '--infiniband-gbps',
        '1',
      ],
      ...['--nvlink-domain-size', '4', '--matrix-tflops', '10', '--vector-tflops', '1', '--precision', 'fp32'],
    );
    expect(gpus).toBe(8);
    expect(input).toMatchObject({
      model: {batch: 8, isCausal: true, attention: 'flash', hidden: 256},
      system: {matrixTflops: {fp32: 10}, vectorTflops: {fp32: 1}, hbmGBps: 1000, nvlinkDomainSize: 4},
      parallelism: {kind: '3D', rows: 2, columns: 2, inner: 2},
    });
  });

  it('takes them from a JSON file, and flags in its figures’ place', () => {
    const path = join(folder, 'model.json');
    writeFileSync(
      path,
      JSON.stringify({model: 'mixtral-8x7b', system: 'h100', parallelism: {expert: 8}, precision: 'bf16'}),
    );
    const result = json('--config', path, '--batch', '2');
    expect(result.input).toMatchObject({model: {batch: 2, experts: 8}, precision: 'bf16', parallelism: {expert: 8}});
    expect(result.moe.rows.map(({layer}) => layer)).toContain('dispatch');
  });

  it('takes figures that a profile measured, and tells them', () => {
    const path = join(folder, 'measured.json');
    const product = {
      'Input Dims': [
        [1000, 1000],
        [1000, 1000],
      ],
      'Input type': ['c10::Half', 'c10::Half'],
    };
    writeFileSync(
      path,
      kinetoText([kineto.op('aten::mm', 10, 40, product), kineto.call(1, 12, 5), kineto.kernel(1, 60, 20)]),
    );
    const {status, stdout, stderr} = run(...gpt3, '--calibrate', path, '--format', 'json');
    expect({status, stderr}).toEqual({
      status: 0,
      stderr: 'Note: measured by the profile: fp16 products 100 TFLOP/s.\n',
    });
    expect(JSON.parse(stdout)).toMatchObject({input: {system: {matrixTflops: {fp16: 100}, hbmGBps: 1555}}});
  });

  it.each([
    [
      ['--model', 'gpt9', '--system', 'h100'],
      2,
      /^gpu-lens: The model’s preset must be one of gpt3-175b, .*See gpu-lens estimate --help\.\n$/,
    ],
    [['--model', 'gpt3-175b'], 2, /^gpu-lens: A system needs a preset/],
    [[...gpt3, '--causal', 'maybe'], 2, /^gpu-lens: --causal takes yes or no; not "maybe"\. See/],
    [[...gpt3, '--batch', 'two'], 2, /^gpu-lens: --batch takes a number, not "two"\. See/],
    [[...gpt3, '--grid', '4'], 2, /^gpu-lens: --grid takes two or three numbers like 4x4 or 4x4x2; not "4"\. See/],
    [
      [...gpt3, '--parallelism', '2D', '--tensor-parallel', '16'],
      2,
      /^gpu-lens: 2D parallelism takes no tensor degree: it has rows, columns\. See/,
    ],
    [
      ['--model', 'gpt3-175b', '--system', 'h100', '--grid', '4x4', '--sequence-parallel', '8'],
      2,
      /^gpu-lens: 2D parallelism takes no sequence degree: it has rows, columns\. See/,
    ],
    [
      [...gpt3, '--grid', '2x2x2', '--parallelism', '2D'],
      2,
      /^gpu-lens: --grid 2x2x2 does not go with --parallelism 2D\. See/,
    ],
    [[...gpt3, 'file.json'], 2, /^gpu-lens: estimate takes no file but that of --config\. See/],
    [['--config', join(folder, 'none.json')], 1, /^gpu-lens: none\.json does not exist\.\n$/],
  ])('says in one sentence what is wrong with %j', (args, status, message) => {
    const result = run(...args);
    expect(result).toMatchObject({status, stdout: ''});
    expect(result.stderr).toMatch(message);
  });

  it('takes a peak for the precision of the file beside it, and keeps the file’s others', () => {
    const path = join(folder, 'peaks.json');
    const system = {preset: 'h100', matrixTflops: {bf16: 500, fp16: 400}};
    writeFileSync(path, JSON.stringify({model: {preset: 'gpt3-175b'}, system, precision: 'bf16'}));
    const peaks = (...flags: string[]) => {
      const {input} = json('--config', path, ...flags) as {input: {system: {matrixTflops: object}}};
      return input.system.matrixTflops;
    };
    expect(peaks('--matrix-tflops', '100')).toMatchObject({bf16: 100, fp16: 400});
    expect(peaks('--matrix-tflops', '100', '--precision', 'fp16')).toMatchObject({bf16: 500, fp16: 100});
  });

  it('says what is wrong with a file', () => {
    const path = join(folder, 'damaged.json');
    writeFileSync(path, '{"model": 5}');
    expect(run('--config', path)).toMatchObject({
      status: 1,
      stderr: 'gpu-lens: damaged.json is not an estimate: The model must be an object.\n',
    });
    // The file's own fault is none of the command line's, also where a flag stands beside it.
    writeFileSync(
      path,
      '{"model": {"preset": "gpt3-175b"}, "system": {"preset": "h100"}, "parallelism": {"tensor": 7}}',
    );
    expect(run('--config', path, '--precision', 'fp16')).toMatchObject({status: 1, stdout: ''});
    expect(run('--config', path, '--tensor-parallel', '9')).toMatchObject({status: 2, stdout: ''});
    writeFileSync(path, '{');
    expect(run('--config', path)).toMatchObject({status: 1, stdout: ''});
  });

  it('is in the help', () => {
    const {stdout} = spawnSync(process.execPath, [cli, 'estimate', '--help'], {encoding: 'utf8'});
    expect(stdout).toContain('gpu-lens estimate --model MODEL --system SYSTEM');
    expect(stdout).toContain('mixtral-8x7b');
  });
});
