import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import Database from 'better-sqlite3';
import {describe, expect, it} from 'vitest';
import {json, run, runWith} from '../support/command-line.js';
import {kineto, kinetoText} from '../support/kineto-events.js';
import {dataFolder, hasData} from '../support/real-data.js';
import {project, temporaryFolder} from '../support/project.js';
import {writeTwoKernels} from '../support/two-kernels.js';

const folder = temporaryFolder();
const sample = join(project, 'media', 'sample', 'profile', 'train.pt.trace.json.gz');

const trace = writeTwoKernels(folder);

describe('gpu-lens info', () => {
  it('gives the object of the contract', () => {
    expect(json('info', trace)).toEqual({
      format: 'kineto',
      profiler: 'PyTorch profiler',
      version: 'trace schema 1',
      devices: [{id: 0, name: null}],
      processes: 1,
      spanNs: 100_000,
      counts: {kernels: 2, memcpys: 0, memsets: 0, apiCalls: 1, cpuOps: 1, ranges: 2, pythonFrames: 0, flows: 0},
      gpu: {busyNs: 47_000, spanNs: 57_000, workNs: 47_000, idleNs: 10_000},
      notes: [],
    });
  });

  it('gives an array for several files', () => {
    expect(json('info', trace, sample)).toMatchObject([{file: trace}, {file: sample, format: 'kineto'}]);
  });

  it('gives the others where one of several cannot be read', () => {
    const {status, stdout, stderr} = run('info', join(folder, 'none.json'), trace, '--format', 'json');
    expect({status, stderr}).toEqual({status: 1, stderr: 'gpu-lens: none.json does not exist.\n'});
    expect(JSON.parse(stdout)).toMatchObject([{file: trace}]);
  });

  it('unpacks a compressed file up to GPU_LENS_MAXIMUM_UNPACKED_GB', () => {
    const limited = runWith({GPU_LENS_MAXIMUM_UNPACKED_GB: '0.0005'}, 'info', sample);
    expect(limited.stdout).toContain('The file unpacks to more than 500,000 bytes. GPU Lens shows what it read');
    expect(runWith({GPU_LENS_MAXIMUM_UNPACKED_GB: 'many'}, 'info', sample)).toMatchObject({
      status: 2,
      stderr: 'gpu-lens: GPU_LENS_MAXIMUM_UNPACKED_GB takes a number of GB; not "many". See gpu-lens info --help.\n',
    });
  });

  it('says it in words', () => {
    const {stdout} = run('info', trace);
    expect(stdout).toContain('Events     2 kernels, 1 API call, 1 CPU operator, 2 tagged ranges');
    expect(stdout).toContain('work 47.0 µs (sum), busy 47.0 µs (union), idle 10.0 µs = 17.5 %');
  });
});

describe('gpu-lens info of a selection', () => {
  interface Info {
    readonly spanNs: number;
    readonly counts: Readonly<Record<string, number | null>>;
    readonly gpu: Readonly<Record<string, number>>;
  }
  const info = (...options: string[]) => json('info', trace, ...options) as Info;
  const whole = info();

  it('sums over windows that part the profile to the whole', () => {
    const middle = String(Math.floor(whole.spanNs / 2));
    const [first, second] = [info('--to', middle), info('--from', middle)];
    expect(first.gpu['workNs']).toBeGreaterThan(0);
    expect((first.gpu['workNs'] ?? 0) + (second.gpu['workNs'] ?? 0)).toBe(whole.gpu['workNs']);
    expect((first.gpu['busyNs'] ?? 0) + (second.gpu['busyNs'] ?? 0)).toBe(whole.gpu['busyNs']);
    expect(first.spanNs).toBeLessThanOrEqual(Number(middle));
    expect(first.counts['flows']).toBeNull();
  });

  it('has the GPU work of a range that ranges tells, and that of all where all is selected', () => {
    const rows = json('ranges', trace) as {name: string; gpuWorkNs: number; backwardGpuWorkNs: number}[];
    for (const {name, gpuWorkNs, backwardGpuWorkNs} of rows.filter(row => !row.name.startsWith('('))) {
      expect([name, info('--filter-nvtx', name).gpu['workNs']]).toEqual([name, gpuWorkNs + backwardGpuWorkNs]);
    }
    expect(info('--device', '0').gpu).toEqual(whole.gpu);
    expect(info('--from', '0').counts).toEqual({...whole.counts, flows: null});
  });

  it('refuses what the profile has not', () => {
    expect(run('info', trace, '--device', '5')).toMatchObject({status: 1});
    expect(run('info', trace, '--from', '5', '--to', '5')).toMatchObject({status: 2});
  });
});

it('reads a trace where there is no WebAssembly as it does with it', () => {
  const without = runWith({NODE_OPTIONS: '--jitless'}, 'ranges', sample, '--format', 'json');
  expect(without.stdout.length).toBeGreaterThan(1000);
  expect(without).toEqual(run('ranges', sample, '--format', 'json'));
});

describe('gpu-lens info of an nsys export with instants and counters', () => {
  const path = join(folder, 'events.sqlite');
  const db = new Database(path);
  for (const sql of ['worked.sql', 'events.sql']) {
    db.exec(readFileSync(join(project, 'test', 'fixtures', 'nsys', sql), 'utf8'));
  }
  db.close();

  it('counts them in words, and keeps to the keys of the contract in JSON', () => {
    const {stdout} = run('info', path);
    expect(stdout).toContain('5 tagged ranges, 4 NVTX marks, 5 memory events, 2 CPU samples, 1 page fault\n');
    expect(stdout).toContain('Counters   6 counters, 10 samples\n');
    expect(Object.keys(json('info', path) as object)).toEqual(Object.keys(json('info', trace) as object));
  });
});

describe('gpu-lens stats', () => {
  it('gives an array of rows by the column names of nsys', () => {
    expect(json('stats', trace, '-r', 'cuda_gpu_kern_sum')).toEqual([
      {
        'Time (%)': 100,
        'Total Time (ns)': 47_000,
        Instances: 2,
        'Avg (ns)': 23_500,
        'Med (ns)': 23_500,
        'Min (ns)': 7000,
        'Max (ns)': 40_000,
        'StdDev (ns)': 23_334.5,
        Name: 'gemm',
      },
    ]);
  });

  it('takes the part of a profile that is asked for', () => {
    const kernels = (...selection: string[]) => json('stats', trace, '-r', 'cuda_gpu_kern_sum', ...selection);
    expect(kernels('--filter-nvtx', 'layer_0')).toMatchObject([{'Total Time (ns)': 40_000}]);
    expect(kernels('--from', '35000', '--to', '82000')).toMatchObject([{'Total Time (ns)': 37_000, Instances: 2}]);
    expect(kernels('--process', '100')).toMatchObject([{'Total Time (ns)': 47_000, Instances: 2}]);
    const none = run('stats', trace, '--step', '9');
    expect([none.status, none.stderr]).toEqual([1, 'gpu-lens: This profile has no step 9.\n']);
    const noProcess = run('flame', trace, '--process', '7');
    expect([noProcess.status, noProcess.stderr]).toEqual([1, 'gpu-lens: This profile has no process 7.\n']);
  });

  it('gives an object by name for several reports, and says which have nothing to show', () => {
    const {status, stdout, stderr} = run('stats', trace, '--report', 'nvtx_sum,osrt_sum', '--format', 'json');
    expect({status, stderr}).toEqual({
      status: 0,
      stderr: 'SKIPPED: trace.json does not contain OS Runtime trace data.\n',
    });
    expect(JSON.parse(stdout)).toMatchObject({nvtx_sum: [{Range: 'step, "one"'}, {Range: 'layer_0'}], osrt_sum: []});
  });

  it('prints what nsys prints where no report is named', () => {
    const {stdout} = run('stats', trace);
    expect(stdout.match(/\(\w+\):/g)).toEqual(['(nvtx_sum):', '(cuda_api_sum):', '(cuda_gpu_kern_sum):']);
  });

  it('prints key_averages as PyTorch does', () => {
    const {stdout} = run('stats', trace, '-r', 'key_averages:self_cuda_time_total');
    expect(stdout).toMatch(/^-+ {2}-{12}/);
    expect(stdout).toContain('Self CUDA time total: 47.000us\n');
  });

  it('has the header of nsys in CSV', () => {
    const [header, row] = run('stats', trace, '-r', 'cuda_api_trace', '--format', 'csv').stdout.split('\n');
    expect(header).toBe('Start (ns),Duration (ns),Name,Result,CorrID,Pid,Tid,T-Pri,Thread Name');
    expect(row).toBe('20000,5000,cudaLaunchKernel,None,9,100,100,None,None');
  });

  it('names the reports that there are where one is asked for that is none, and the options that one takes', () => {
    const none = run('stats', trace, '-r', 'cuda_gpu_kernel_sum');
    expect({status: none.status, stdout: none.stdout}).toEqual({status: 2, stdout: ''});
    expect(none.stderr).toContain('There is no report "cuda_gpu_kernel_sum": there are nvtx_sum, ');
    expect(run('stats', trace, '-r', 'gpukernsum:bass').stderr).toBe(
      'gpu-lens: cuda_gpu_kern_gb_sum takes :base, :mangled, :nvtx-name; not "gpukernsum:bass". See gpu-lens stats --help.\n',
    );
  });
});

describe('gpu-lens ranges', () => {
  const keys = [
    'name',
    'path',
    'count',
    'cpuWallNs',
    'gpuWorkNs',
    'gpuSelfNs',
    'gpuBusyNs',
    'gpuSpanNs',
    'backwardGpuWorkNs',
    'backwardGpuSelfNs',
    'ops',
    'launches',
    'file',
    'line',
  ];

  it('gives rows with the keys of the contract, the buckets last', () => {
    const rows = json('ranges', trace) as Record<string, unknown>[];
    expect(Object.keys(rows[0] ?? {})).toEqual(keys);
    expect(rows.map(({name, gpuSelfNs}) => [name, gpuSelfNs])).toEqual([
      ['step, "one"', 0],
      ['layer_0', 40_000],
      ['(outside any range)', 0],
      ['(no launch call)', 7000],
      ['(backward, unmatched)', 0],
    ]);
  });

  it('takes paths, instances, further kinds', () => {
    expect(json('ranges', trace, '--by', 'path')).toMatchObject([
      {path: 'step, "one"'},
      {path: 'step, "one"/layer_0'},
      {},
      {},
      {},
    ]);
    expect(json('ranges', trace, '--by', 'instance')).toHaveLength(5);
    expect(json('ranges', trace, '--kinds', 'op')).toContainEqual(
      expect.objectContaining({name: 'aten::mm', gpuSelfNs: 40_000}),
    );
    expect(run('ranges', trace, '--kinds', 'op,record_function').stdout).toMatch(
      /^Range \(record_function, operators\) /,
    );
    expect(json('stats', trace, '-r', 'nvtx_sum', '--kinds', 'op')).toContainEqual(
      expect.objectContaining({Range: 'aten::mm', Style: 'PushPop'}),
    );
    expect(run('stats', trace, '-r', 'nvtx_sum', '--kinds', 'pushpop').stderr).toContain('SKIPPED');
    expect(run('stats', trace, '-r', 'nvtx_sum', '--domain', 'none')).toMatchObject({status: 1, stdout: ''});
  });

  it('takes a part of the profile: a window, a range, a device, a stream', () => {
    const work = (...args: string[]) =>
      (json('ranges', trace, ...args) as {name: string; gpuWorkNs: number}[]).map(row => [row.name, row.gpuWorkNs]);
    const others = [
      ['(outside any range)', 0],
      ['(no launch call)', 0],
      ['(backward, unmatched)', 0],
    ];
    expect(work('--from', '35000', '--to', '50000')).toEqual([['step, "one"', 15_000], ['layer_0', 15_000], ...others]);
    expect(work('--filter-nvtx', 'layer_0/0', '--device', '0')).toEqual([
      ['layer_0', 40_000],
      ['step, "one"', 40_000],
      ...others,
    ]);
    expect(work('--stream', '7')).toEqual(work());
    expect(run('ranges', trace, '--stream', '8')).toMatchObject({
      status: 1,
      stderr: 'gpu-lens: This profile has nothing on stream 8; it has stream 7.\n',
    });
  });

  it('folds the numbers in names', () => {
    const numbered = join(folder, 'numbered.json');
    writeFileSync(numbered, kinetoText([kineto.range('ProfilerStep#1', 0, 5), kineto.range('ProfilerStep#2', 5, 5)]));
    expect((json('ranges', numbered, '--fold') as object[])[0]).toMatchObject({name: 'ProfilerStep*', count: 2});
    expect((json('ranges', numbered, '--step', '2') as object[])[0]).toMatchObject({name: 'ProfilerStep#2'});
  });

  it('finds lines in the sidecar, and else in the source tree', () => {
    const rows = json('ranges', sample) as {name: string; file: string | null; line: number | null}[];
    expect(rows.find(({name}) => name === 'layer_2')).toMatchObject({file: 'model.py', line: 89});
    expect(rows.find(({name}) => name === 'random_batch')).toMatchObject({file: 'train.py', line: 15});
    expect(rows.find(({name}) => name.startsWith('ProfilerStep'))).toMatchObject({file: null, line: null});
    const source = join(folder, 'source');
    mkdirSync(join(source, 'pkg'), {recursive: true});
    writeFileSync(
      join(source, 'pkg', 'm.py'),
      'from torch.profiler import record_function\n\nwith record_function(f"layer_{i}"):\n  pass\n',
    );
    expect(json('ranges', trace, '--source', source)).toContainEqual(
      expect.objectContaining({name: 'layer_0', file: join('pkg', 'm.py'), line: 3}),
    );
  });

  it('tells what has nothing on the other side, and what several lines open', () => {
    const source = join(folder, 'unmatched');
    mkdirSync(source);
    writeFileSync(join(source, 'a.cu'), 'void f() {\n  nvtxRangePushA("layer_0");\n  nvtxRangePushA("gone");\n}\n');
    writeFileSync(join(source, 'b.py'), 'from torch.profiler import record_function\nrecord_function("layer_0")\n');
    const notes = run('ranges', trace, '--source', source).stderr;
    expect(notes).toContain('No line of the folder opens 1 range: step, "one".');
    expect(notes).toContain('Several lines open 1 range, and share their figures: layer_0.');
    expect(notes).toContain('Not in this profile: 1 tag, at a.cu:3.');
    expect(run('ranges', trace).stderr).not.toContain('No line');
  });

  it('tells the notebook of a range without a line, and the cell of a tag that did not run', () => {
    const source = join(folder, 'notebooks');
    mkdirSync(source);
    const code = (text: string) => ({cell_type: 'code', source: text});
    const cells = [code('from torch.profiler import record_function as r'), code('x = 1\nr("layer_0")\nr("gone")')];
    writeFileSync(join(source, 'a.ipynb'), JSON.stringify({cells, nbformat: 4}));
    const rows = json('ranges', trace, '--source', source);
    expect(rows).toContainEqual(expect.objectContaining({name: 'layer_0', file: 'a.ipynb', line: null}));
    expect(run('ranges', trace, '--source', source).stderr).toContain(
      'Not in this profile: 1 tag, at a.ipynb, cell 2:3.',
    );
  });

  it('finds modules by their class, and Python frames by the end of their path', () => {
    const source = join(folder, 'modules');
    mkdirSync(join(source, 'src'), {recursive: true});
    writeFileSync(join(source, 'src', 'net.py'), 'class Net(nn.Module):\n  def forward(self, x):\n    return x\n');
    const modules = join(folder, 'modules.json');
    writeFileSync(
      modules,
      kinetoText([kineto.python('nn.Module: Net_0', 0, 9), kineto.python('/job/src/net.py(2): forward', 1, 5)]),
    );
    const rows = json('ranges', modules, '--kinds', 'python', '--source', source);
    expect(rows).toContainEqual(expect.objectContaining({name: 'nn.Module: Net_0', file: 'src/net.py', line: 2}));
    expect(rows).toContainEqual(
      expect.objectContaining({name: '/job/src/net.py(2): forward', file: 'src/net.py', line: 2}),
    );
  });

  it('writes CSV and Markdown that others can read', () => {
    const csv = run('ranges', trace, '--format', 'csv').stdout.split('\n');
    expect(csv[0]).toBe(keys.join(','));
    expect(csv[1]).toMatch(/^"step, ""one""","step, ""one""",1,100000,40000,0,40000,40000,0,0,1,1,,$/);
    expect(run('ranges', trace, '--format', 'markdown').stdout).toContain('| layer_0 | step, "one"/layer_0 | 1 |');
  });

  it('says which domains there are where one is asked for that is none', () => {
    const {status, stdout, stderr} = run('ranges', trace, '--domain', 'NCCL');
    expect({status, stdout, stderr}).toEqual({
      status: 1,
      stdout: '',
      stderr: 'gpu-lens: This profile has no NVTX domain "NCCL"; it has no named ones.\n',
    });
  });

  it.skipIf(!hasData)('says what unmatched backward work is', () => {
    const {stderr} = run('ranges', join(dataFolder, 'kineto', 'ns-resolution-rank0.json.gz'));
    expect(stderr).toContain('Note: Of "(backward, unmatched)": gradient accumulation 2.53 ms, copies 2.67 ms.');
  });

  it('keeps control characters of a file’s names away from the terminal', () => {
    const evil = join(folder, 'evil.json');
    writeFileSync(evil, kinetoText([kineto.range('a\u001b[31mred\u0007', 0, 1)]));
    expect(run('ranges', evil).stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
  });
});
