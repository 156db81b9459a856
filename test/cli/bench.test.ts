import {spawn, spawnSync} from 'node:child_process';
import {chmodSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, it, vi} from 'vitest';
import {readSweepRecord, type SweepRecord} from '../../src/core/benchmark/sweep-record.js';
import {expectSchemaOf} from '../support/json-schema.js';
import {project, temporaryFolder} from '../support/project.js';
import {patience} from '../support/patience.js';
import {withoutRootsRights} from '../support/roots-rights.js';

const cli = join(project, 'dist', 'cli.cjs');
const folder = temporaryFolder();

interface Row {
  readonly size: string;
  readonly stepNs: readonly number[];
  readonly error: string | null;
}

function write(name: string, config: object): string {
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(config));
  return `${name}.json`;
}

function bench(...args: string[]) {
  const {status, stdout, stderr} = spawnSync(process.execPath, [cli, 'bench', ...args, '--output', 'kept'], {
    encoding: 'utf8',
    cwd: folder,
  });
  expectSchemaOf(['bench', ...args], status, stdout);
  return {status, stdout, stderr, rows: () => JSON.parse(stdout) as Row[]};
}

/** The latest sweep of a name. */
function kept(name: string): SweepRecord | null {
  const home = join(folder, 'kept', 'benchmarks');
  const last = readdirSync(home)
    .filter(entry => entry.includes(`-${name}`))
    .sort()
    .at(-1);
  return last === undefined ? null : readSweepRecord(readFileSync(join(home, last, 'results.jsonl'), 'utf8'));
}

/** A command of Python's own, which needs no torch. */
const python = (code: string, ...args: string[]) => ['python3', '-c', code, ...args];

it('gpu-lens bench writes exactly the rows of the contract', () => {
  const file = write('rows', {command: python('import sys', '--n', '{1,2}'), warmupSteps: 1, steps: 3});
  const {status, stdout, rows, stderr} = bench(file, '--format', 'json');
  expect({status, stderr}).toEqual({status: 0, stderr: expect.stringContaining('2 points to measure') as string});
  expect(Object.keys(rows()[0] ?? {})).toEqual([
    'size',
    'contextLength',
    'batch',
    'pass',
    'precision',
    'device',
    'compile',
    'warmupSteps',
    'stepNs',
    'meanNs',
    'stdNs',
    'minNs',
    'medianNs',
    'error',
  ]);
  for (const row of JSON.parse(stdout) as Record<string, unknown>[]) {
    const steps = (row['stepNs'] as number[]).toSorted((a, b) => a - b);
    const mean = steps.reduce((sum, ns) => sum + ns, 0) / 3;
    const deviation = Math.sqrt(steps.reduce((sum, ns) => sum + (ns - mean) ** 2, 0) / 2);
    expect(row).toMatchObject({
      warmupSteps: 1,
      meanNs: Math.round(mean),
      stdNs: Math.round(deviation),
      minNs: steps[0],
      medianNs: steps[1],
      error: null,
    });
    expect(steps.every(ns => Number.isSafeInteger(ns) && ns > 0)).toBe(true);
  }
  expect(rows().map(({size}) => size)).toEqual(['--n 1', '--n 2']);
  expect(bench(file, '--format', 'csv').stdout).toMatch(/^size,contextLength,batch,pass,precision,device,compile,/);
  expect(bench(file, '--format', 'markdown').stdout).toContain('| Size | Run (ms) |\n| --- | ---: |\n| --n 1 | ');
});

it('gpu-lens bench goes on behind points that crash, run out of memory or cannot be started', () => {
  const codes = {
    good: 'pass',
    crash: 'raise SystemExit(3)',
    memory: 'raise MemoryError("CUDA out of memory. Tried to allocate 1 GiB")',
    signal: 'import os; os.kill(os.getpid(), 9)',
    last: 'pass',
  };
  const commands = {
    ...Object.fromEntries(Object.entries(codes).map(([name, code]) => [name, python(code)])),
    missing: ['/no/such program'],
  };
  const {status, rows, stderr} = bench(write('bad', {commands, warmupSteps: 0, steps: 1}), '--format', 'json');
  expect(status).toBe(0);
  expect(rows().map(({size, error}) => [size, error])).toEqual([
    ['good', null],
    ['crash', 'crash'],
    ['memory', 'oom'],
    ['signal', 'crash'],
    ['last', null],
    ['missing', 'crash'],
  ]);
  expect(stderr).toContain('The command ended with status 3.');
  expect(stderr).toContain('The command was ended by signal 9.');
});

it('gpu-lens bench ends a point that takes too long, and goes on behind it', () => {
  const config = {command: python('import time; time.sleep(600)', '{1,2}'), warmupSteps: 0, steps: 1};
  const {rows, stderr} = bench(write('slow', {...config, timeLimitSeconds: 2}), '--format', 'json');
  expect(rows()).toMatchObject([
    {error: 'time-limit', stepNs: []},
    {error: 'time-limit', stepNs: []},
  ]);
  expect(stderr).toContain('It took longer than 2 s; 0 warm-up and 0 measured steps had ended.');
});

it('gpu-lens bench says so where a layout has nothing to show', () => {
  const file = write('alone', {command: python('pass'), warmupSteps: 0, steps: 1});
  const {status, stdout, stderr} = bench(file, '--layout', 'comparison');
  expect([status, stdout]).toEqual([0, '']);
  expect(stderr).toContain(
    'The sweep has nothing to compare: it varies neither precision, compile, device nor variant.',
  );
  expect(bench(file, '--layout', 'phases').stderr).toContain('No point of the sweep tells phases of its steps.');
});

it('gpu-lens bench that was killed is gone on with, and the same one is not run twice at a time', async () => {
  const code =
    'import os, sys, time; open("ran", "a").write(sys.argv[1]); os.path.exists("go") or sys.argv[1] == "1" or time.sleep(600)';
  const file = write('resumed', {command: python(code, '{1,2,3}'), warmupSteps: 0, steps: 1});
  const first = spawn(process.execPath, [cli, 'bench', file, '--output', 'kept'], {cwd: folder, stdio: 'ignore'});
  await vi.waitFor(() => {
    expect(readFileSync(join(folder, 'ran'), 'utf8')).toBe('12');
  }, patience);
  const second = bench(file);
  expect(second.status).toBe(1);
  expect(second.stderr).toContain(
    `This sweep is being measured by process ${String(first.pid)}: wait for it, or end it`,
  );
  const ended = new Promise(resolve => first.on('exit', resolve));
  first.kill('SIGKILL');
  await ended;
  expect(kept('resumed')).toMatchObject({pointCount: 3, isEnded: false});
  writeFileSync(join(folder, 'go'), '');
  const again = bench(file, '--format', 'json');
  expect(again.status).toBe(0);
  expect(again.stderr).toContain('1 of 3 points measured');
  expect(again.rows().map(({size, error}) => [size, error])).toEqual([
    ['1', null],
    ['2', null],
    ['3', null],
  ]);
  // Point 1 was not measured again.
  expect(readFileSync(join(folder, 'ran'), 'utf8')).toBe('1223');
  expect(kept('resumed')).toMatchObject({isEnded: true, badLines: 0});
  expect(bench(file).stderr).toContain('3 points to measure');
});

it('gpu-lens bench measures nothing behind a lock of another user, which it cannot hold', () => {
  const file = write('shared', {command: python('pass'), warmupSteps: 0, steps: 1});
  expect(bench(file).status).toBe(0);
  const home = join(folder, 'kept', 'benchmarks');
  const locks = readdirSync(home).filter(name => name.endsWith('.lock.sqlite'));
  for (const lock of locks) chmodSync(join(home, lock), 0o444);
  const [program, ...args] = [...withoutRootsRights(), process.execPath, cli, 'bench', file, '--output', 'kept'];
  const {status, stdout, stderr} = spawnSync(program, args, {encoding: 'utf8', cwd: folder});
  for (const lock of locks) chmodSync(join(home, lock), 0o644);
  expect({status, stdout}).toEqual({status: 1, stdout: ''});
  expect(stderr).toMatch(/^gpu-lens: .*\.lock\.sqlite cannot be locked: EACCES: permission denied[^\n]*\n$/);
});

it('gpu-lens bench that is interrupted ends the point, keeps the others, and says so', async () => {
  const file = write('stopped', {
    command: python('import sys, time; time.sleep(int(sys.argv[1]))', '{0,600}'),
    warmupSteps: 0,
    steps: 1,
  });
  const child = spawn(process.execPath, [cli, 'bench', file, '--output', 'kept'], {cwd: folder});
  let told = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (told += text));
  await vi.waitFor(() => {
    expect(kept('stopped')?.results.size).toBe(1);
  }, patience);
  const status = new Promise(resolve => child.on('close', resolve));
  child.kill('SIGINT');
  expect(await status).toBe(1);
  expect(told).toContain('The sweep was ended; the same command goes on with it.');
  expect(kept('stopped')?.results.size).toBe(1);
});

it.each([
  [[], 'bench needs one file with a sweep.', 2],
  [['no.json'], 'no.json does not exist: name the configuration of a sweep (docs/benchmarks.md), the folder', 1],
  [['broken.json'], 'broken.json is no JSON', 1],
  [['unknown.json'], 'The sweep has "stepz"', 1],
  [['ok.json', '--layout', 'pie'], '--layout takes auto, times, comparison, phases, points; not "pie".', 2],
  [['ok.json', '--python', '/no/python'], '--python names /no/python, which cannot be run.', 1],
])('gpu-lens bench %j says what is wrong', (args, sentence, status) => {
  writeFileSync(join(folder, 'broken.json'), '{"steps": ');
  write('unknown', {stepz: 1});
  write('ok', {command: ['true'], steps: 1});
  const {stdout, stderr, ...ended} = bench(...args);
  expect(stderr).toContain(sentence);
  expect([ended.status, stdout]).toEqual([status, '']);
});

it('gpu-lens bench --precision-map says of points without a map why, and fails where none has one', () => {
  const file = write('types', {command: python('pass', '{1,2}')});
  const {status, stdout, stderr} = bench(file, '--precision-map', '--format', 'json');
  expect(status).toBe(1);
  const why = 'A command does not tell its data types.';
  expect(JSON.parse(stdout)).toMatchObject([
    {size: '1', precision: null, rows: [], error: why},
    {size: '2', rows: [], error: why},
  ]);
  expect(stderr).toContain(`gpu-lens: 1: ${why}\n`);
  expect(stderr).toContain('No point has a precision map.');
});

const torchPython = process.env['GPU_LENS_PYTHON'];
if (torchPython === undefined)
  console.warn('Skipped: a precision map needs a Python with torch (set GPU_LENS_PYTHON).');

it.skipIf(torchPython === undefined)('gpu-lens bench --precision-map has a table for each point of a sweep', () => {
  const file = write('map', {
    sizes: {name: 'tiny', dModel: 32, dFf: 64, layers: 2, heads: 2},
    contextLengths: 8,
    batches: 1,
    passes: 'forward',
    precisions: ['fp32', 'bf16'],
    devices: 'cpu',
    vocabulary: 50,
    threads: 1,
    python: torchPython,
  });
  const {status, stdout, stderr} = bench(file, '--precision-map', '--format', 'csv');
  expect({status, stderr}).toEqual({status: 0, stderr: ''});
  const query = stdout.split('\n').filter(line => line.includes('layers.N.attention.query'));
  expect(query).toEqual([
    '"tiny, context 8, batch 1, forward, fp32, cpu",layers.N.attention.query,Linear,2,float32,float32,float32,,',
    '"tiny, context 8, batch 1, forward, bf16, cpu",layers.N.attention.query,Linear,2,float32,float32,bfloat16,,float32 → bfloat16 × 4',
  ]);
});
