import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {cli, json, run, runWith} from '../support/command-line.js';
import {GpuProgram} from '../support/gpu-program.js';
import {kinetoText} from '../support/kineto-events.js';
import {zipOf} from '../support/make-zip.js';
import {writeNsysDatabase} from '../support/nsys-database.js';
import {temporaryFolder} from '../support/project.js';
import {dataFiles, dataFolder, hasData} from '../support/real-data.js';

const folder = temporaryFolder();
const cache = join(folder, 'cache');
process.env['XDG_CACHE_HOME'] = cache;

/** Writes three steps, each with one kernel and a wait for it. */
function writeSteps(path: string, us: readonly number[]): string {
  const program = new GpuProgram();
  for (const [step, gpu] of us.entries()) {
    program.range(`ProfilerStep#${String(step)}`, inside => {
      inside.launch({name: 'gemm', gpu}).synchronise();
    });
  }
  writeFileSync(path, kinetoText(program.events, {deviceProperties: [{id: 0, name: 'NVIDIA H100'}]}));
  return path;
}

function emptyFolder(name: string): string {
  const path = join(folder, name);
  mkdirSync(path, {recursive: true});
  return path;
}

const runs = emptyFolder('runs');
writeSteps(join(runs, 'rank2.json'), [100, 200, 300]);
writeSteps(join(emptyFolder('runs/more'), 'rank10.json'), [50]);

interface Listed {
  readonly file: string;
  readonly steps?: number;
  readonly stepNs?: number;
  readonly gpuNames?: readonly string[];
  readonly gpu?: object;
  readonly error?: string;
}

describe('gpu-lens info of a folder', () => {
  it('has a row for each profile below it, with its steps and their median', () => {
    const listed = json('info', runs) as Listed[];
    expect(listed.map(({file, steps, gpuNames}) => [file, steps, gpuNames])).toEqual([
      ['more/rank10.json', 1, ['NVIDIA H100']],
      ['rank2.json', 3, ['NVIDIA H100']],
    ]);
    const [, three] = listed;
    expect(three?.gpu).toMatchObject({workNs: 600_000, busyNs: 600_000});
    // The step in the middle waits for its kernel of 200 µs, and little else.
    expect(three?.stepNs).toBeGreaterThanOrEqual(200_000);
    expect(three?.stepNs).toBeLessThan(250_000);
  });

  it('is a table for people', () => {
    const [titles = '', first = ''] = run('info', runs).stdout.split('\n');
    expect(titles.split(/ {2,}/)).toEqual([
      'File',
      'Profiler',
      'GPU',
      'Steps',
      'Step',
      'Span',
      'GPU work',
      'GPU busy',
      'Size',
      'Note',
    ]);
    expect(first).toContain('NVIDIA H100');
  });

  it('says in its row why a profile cannot be read, and fails', () => {
    const damaged = emptyFolder('damaged');
    copyFileSync(join(runs, 'rank2.json'), join(damaged, 'good.json'));
    writeFileSync(join(damaged, 'cut.json.gz'), Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3]));
    const {status, stdout} = run('info', damaged, '--format', 'json');
    const rows = JSON.parse(stdout) as Listed[];
    expect([status, rows.map(({file}) => file)]).toEqual([1, ['cut.json.gz', 'good.json']]);
    expect(rows.map(({error}) => error)).toEqual([expect.stringContaining('cut.json.gz'), undefined]);
    expect(run('info', damaged).stdout).toContain(String(rows[0]?.error));
  });

  it('leaves out what is no profile, and says so; reports have the row of their export', () => {
    const mixed = emptyFolder('mixed');
    writeNsysDatabase(join(mixed, 'report.sqlite'));
    writeFileSync(join(mixed, 'report.nsys-rep'), 'a report');
    writeFileSync(join(mixed, 'config.json'), '{"lr": 0.1}');
    const {status, stdout, stderr} = run('info', mixed, '--format', 'json');
    expect([status, (JSON.parse(stdout) as Listed[]).map(({file}) => file)]).toEqual([0, ['report.sqlite']]);
    expect(stderr).toBe('Note: 1 file is not a profile and was left out: config.json.\n');
    const packed = readdirSync(mixed).map(name => ({name, data: readFileSync(join(mixed, name))}));
    const zip = join(folder, 'mixed.zip');
    writeFileSync(zip, zipOf(packed));
    expect(JSON.parse(run('info', zip, '--format', 'json').stdout)).toMatchObject([{file: 'report.sqlite'}]);
  });

  it('reads a zip like its folder', () => {
    const zip = join(folder, 'runs.zip');
    const data = Buffer.from(kinetoText(new GpuProgram().launch({gpu: 70}).events));
    writeFileSync(zip, zipOf([{name: 'a/rank0.json', data}]));
    expect(json('info', zip)).toMatchObject([{file: 'a/rank0.json', steps: 0, stepNs: null, gpu: {workNs: 70_000}}]);
  });

  it('refuses an empty folder, and to select', () => {
    expect(run('info', emptyFolder('empty'))).toMatchObject({
      status: 1,
      stderr: 'gpu-lens: No profile was found in empty.\n',
    });
    expect(run('info', runs, '--step', '1')).toMatchObject({status: 2, stdout: ''});
  });

  it.skipIf(!hasData)('has the figures that info has of each public profile', () => {
    const listed = json('info', join(dataFolder, 'kineto')) as (Listed & {spanNs: number})[];
    const files = dataFiles('kineto', '.json.gz');
    expect(listed.map(({file}) => file).sort()).toEqual(files.map(({name}) => name).sort());
    const alone = json('info', ...files.map(({path}) => path)) as {gpu: object; spanNs: number}[];
    for (const [at, {name}] of files.entries()) {
      const {gpu, spanNs} = listed.find(({file}) => file === name) ?? {};
      expect({gpu, spanNs}).toEqual({gpu: alone[at]?.gpu, spanNs: alone[at]?.spanNs});
    }
  });
});

describe('the figures of a folder that was listed before', () => {
  const listed = emptyFolder('listed');
  const path = writeSteps(join(listed, 'rank0.json'), [100, 100]);
  const figures = join(cache, 'gpu-lens', 'figures');
  const stepsNow = (env: NodeJS.ProcessEnv = {}) => {
    const {status, stdout, stderr} = runWith(env, 'info', listed, '--format', 'json');
    expect([status, stderr]).toEqual([0, '']);
    return (JSON.parse(stdout) as Listed[]).map(({steps}) => steps);
  };
  /** Changes what is kept of the folder. */
  const change = (text: (before: string) => string) => {
    for (const name of readdirSync(figures)) {
      const file = join(figures, name);
      const before = readFileSync(file, 'utf8');
      if (before.includes(path)) writeFileSync(file, text(before));
    }
  };

  it('are kept, and those of a file that changed are read again', () => {
    expect(stepsNow()).toEqual([2]);
    change(before => before.replace('"steps":2', '"steps":77'));
    expect(stepsNow()).toEqual([77]);
    writeSteps(path, [100, 100, 100]);
    expect(stepsNow()).toEqual([3]);
  });

  it.each(['', 'no JSON', '[1]', '[{"path": "x"}]', 'null'])('are read again if what is kept is %j', damaged => {
    stepsNow();
    change(() => damaged);
    expect(stepsNow()).toEqual([3]);
  });

  it('are shown where nothing can be kept', () => {
    const file = join(folder, 'not a folder');
    writeFileSync(file, '');
    expect(stepsNow({XDG_CACHE_HOME: file})).toEqual([3]);
  });
});

it.each(['info', 'job', 'summarize'])('%s of many small profiles ends when it is asked to', async command => {
  const many = emptyFolder(`many-${command}`);
  const data = readFileSync(join(runs, 'rank2.json'));
  for (let rank = 0; rank < 3000; rank++) writeFileSync(join(many, `rank${String(rank)}.json`), data);
  const output = command === 'summarize' ? ['-o', join(folder, 'summaries')] : [];
  const child = spawn(process.execPath, [cli, command, many, ...output, '--verbose']);
  const printed: Buffer[] = [];
  child.stdout.on('data', (part: Buffer) => printed.push(part));
  // It tells its progress.
  await once(child.stderr, 'data');
  child.kill('SIGINT');
  const [status] = (await once(child, 'close')) as [number | null];
  expect([status, Buffer.concat(printed).toString()]).toEqual([1, '']);
});
