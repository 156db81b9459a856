import {chmodSync, mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {checkEnvironment} from '../../src/launch/doctor/check-environment.js';
import {environmentText} from '../../src/launch/doctor/environment-text.js';
import {gpuChecks} from '../../src/launch/doctor/gpu-checks.js';
import {isAtLeast, pythonChecks} from '../../src/launch/doctor/python-checks.js';
import {parsePythonFacts, type PythonFacts, type TorchFacts} from '../../src/launch/doctor/python-facts.js';
import {toolChecks} from '../../src/launch/doctor/tool-checks.js';
import {project, temporaryFolder} from '../support/project.js';
import {writeStandInNsys} from '../support/stand-in-nsys.js';

const folder = temporaryFolder();
const runner = join(project, 'src', 'runner');

function program(path: string, ...lines: string[]): string {
  const file = join(folder, path);
  mkdirSync(join(file, '..'), {recursive: true});
  writeFileSync(file, ['#!/bin/sh', ...lines, ''].join('\n'));
  chmodSync(file, 0o755);
  return file;
}

const torch: TorchFacts = {
  version: '2.13.0+cu130',
  cudaVersion: '13.0',
  hipVersion: null,
  devices: ['NVIDIA H100'],
  cudaError: null,
  hasMps: false,
  recordsCuda: true,
  cuptiVersion: 130000,
};
const facts: PythonFacts = {python: '3.11.2', executable: '/my env/bin/python', torch, torchError: null};

describe('pythonChecks(facts, chosenBy, isMac)', () => {
  const summary = (changed: Partial<TorchFacts>, isMac = false) =>
    pythonChecks({...facts, torch: {...torch, ...changed}}, 'PATH', isMac).map(({check, ok, found}) =>
      [ok ? '+' : '-', check, found].join(' '),
    );

  it('finds nothing wrong on a machine that has everything', () => {
    expect(summary({})).toEqual([
      '+ Python 3.11.2 at /my env/bin/python, chosen by PATH',
      '+ PyTorch 2.13.0+cu130',
      '+ CUDA in PyTorch CUDA 13.0, NVIDIA H100',
      '+ MPS in PyTorch not needed: this is no Mac',
      '+ CUPTI API version 130000',
    ]);
  });

  it.each([
    [{version: '2.1.2'}, '- PyTorch 2.1.2'],
    [{cudaVersion: null}, '- CUDA in PyTorch this PyTorch was built without CUDA'],
    [
      {devices: [], cudaError: 'Found no NVIDIA driver on your system.'},
      '- CUDA in PyTorch built for CUDA 13.0, but Found no NVIDIA driver on your system.',
    ],
    [{devices: []}, '- CUDA in PyTorch built for CUDA 13.0, but it sees no GPU'],
    [{cudaVersion: null, hipVersion: '6.2'}, '+ CUDA in PyTorch ROCm 6.2, NVIDIA H100'],
    [{cuptiVersion: null}, '- CUPTI no library found'],
    [{recordsCuda: false}, '- CUPTI PyTorch’s profiler was built without it; API version 130000'],
  ])('%j: %s', (changed, line) => {
    expect(summary(changed)).toContain(line);
  });

  it('wants MPS on a Mac alone', () => {
    expect(summary({hasMps: false}, true)).toContain('- MPS in PyTorch not available');
    expect(summary({hasMps: true}, true)).toContain('+ MPS in PyTorch available');
  });

  it('tells how to install a torch that cannot be imported, and asks nothing more of it', () => {
    const checks = pythonChecks(
      {...facts, python: '3.8.1', torch: null, torchError: 'No module named torch'},
      'PATH',
      false,
    );
    expect(checks).toMatchObject([
      {check: 'Python', ok: false, remedy: 'Select a Python 3.9 or later.'},
      {
        check: 'PyTorch',
        found: 'not importable: No module named torch',
        remedy: 'Install it: "/my env/bin/python" -m pip install torch',
      },
    ]);
  });

  it('gives a remedy for whatever is not right, and for nothing else', () => {
    for (const changed of [{}, {cudaVersion: null}, {devices: []}, {cuptiVersion: null}, {version: '1.13.0'}]) {
      for (const check of pythonChecks({...facts, torch: {...torch, ...changed}}, 'PATH', true)) {
        expect(check.remedy === null).toBe(check.ok);
      }
    }
  });
});

it.each([
  ['2.2.0', true],
  ['2.13.0+cpu', true],
  ['3.0', true],
  ['2.1.9', false],
  ['1.13', false],
  ['2.2.0a0+git1', true],
  ['rubbish', false],
])('isAtLeast(%j, [2, 2]) is %j', (version, expected) => {
  expect(isAtLeast(version, [2, 2])).toBe(expected);
});

it.each(['', '7', 'null', '{}', '{"v": 2, "python": "3", "executable": "/p"}', '{"v": 1, "python": 3}'])(
  'parsePythonFacts(%j) is null',
  text => {
    expect(parsePythonFacts(text)).toBeNull();
  },
);

describe('gpuChecks(places)', () => {
  const parameters = (value: number) => {
    const file = join(folder, `params-${String(value)}`);
    writeFileSync(file, `ResmanDebugLevel: 4294967295\nRmProfilingAdminOnly: ${String(value)}\n`);
    return file;
  };
  program(
    'smi/nvidia-smi',
    'echo "NVIDIA A100-SXM4-40GB, 40960 MiB, 535.54.03"',
    'echo "NVIDIA T4, 15360 MiB, 535.54.03"',
  );
  program('broken/nvidia-smi', 'echo "Failed to initialize NVML: Driver/library version mismatch"', 'exit 18');

  it('names GPUs and driver, and who may read the counters', async () => {
    const places = {searchPath: join(folder, 'smi'), driverParameters: parameters(1), isRoot: false};
    expect(await gpuChecks(places)).toMatchObject([
      {
        ok: true,
        found: 'NVIDIA A100-SXM4-40GB (40960 MiB), driver 535.54.03; NVIDIA T4 (15360 MiB), driver 535.54.03',
      },
      {check: 'GPU counters', ok: false, found: 'only administrators may read them'},
    ]);
    expect((await gpuChecks({...places, isRoot: true}))[1]).toMatchObject({ok: true});
    expect((await gpuChecks({...places, driverParameters: parameters(0)}))[1]).toMatchObject({
      ok: true,
      found: 'everybody may read them',
    });
  });

  it('says what a driver says that does not answer, and that there is none', async () => {
    expect((await gpuChecks({searchPath: join(folder, 'broken')}))[0]).toMatchObject({
      ok: false,
      found: 'Failed to initialize NVML: Driver/library version mismatch',
    });
    expect(await gpuChecks({searchPath: ''})).toMatchObject([
      {ok: false, found: 'nvidia-smi was not found'},
      {ok: true, found: 'not looked at: there is no NVIDIA driver here'},
    ]);
  });
});

it('toolChecks(hints) tells versions and places, and what the setting names wrongly', async () => {
  const nsys = writeStandInNsys(join(folder, 'tools', 'nsys'), '2024.6.2', null);
  const ncu = program(
    'tools/ncu',
    'echo "NVIDIA (R) Nsight Compute Command Line Profiler"',
    'echo "Version 2024.3.2.0 (build 1)"',
  );
  const searchPath = join(folder, 'tools');
  expect(await toolChecks({setting: null, searchPath})).toEqual([
    {check: 'Nsight Systems', ok: true, found: `2024.6.2 at ${nsys}`, remedy: null},
    {check: 'Nsight Compute', ok: true, found: `2024.3.2 at ${ncu}`, remedy: null},
  ]);
  expect((await toolChecks({setting: '/no/nsys', searchPath}))[0]).toMatchObject({
    ok: false,
    found: '/no/nsys, which the setting gpuLens.nsys names, is no program.',
  });
  expect((await toolChecks({setting: null, searchPath: '', installFolders: []}))[0]).toMatchObject({
    ok: false,
    found: 'nsys was not found',
  });
});

describe('checkEnvironment(hints)', () => {
  const hints = (python: string) => ({
    python: {selected: null, setting: python, workspaceFolders: []},
    nsys: {setting: null},
    runner,
  });

  it('asks the interpreter from a folder in which no file of a workspace stands for a module', async () => {
    const workspace = join(folder, 'workspace');
    mkdirSync(workspace);
    writeFileSync(join(workspace, 'json.py'), 'raise SystemExit("the workspace was run")\n');
    const before = process.cwd();
    process.chdir(workspace);
    try {
      const [check] = await checkEnvironment(hints('python3'));
      expect(check).toMatchObject({check: 'Python', ok: true});
      expect(check?.found).toMatch(/^3\.\d+\.\d+ at .*, chosen by the setting gpuLens\.python$/);
    } finally {
      process.chdir(before);
    }
  });

  it('says what a program said that is no Python, and that there is none', async () => {
    const liar = program('liar', 'echo "{}"', 'echo "I am no Python"', 'exit 3');
    expect((await checkEnvironment(hints(liar)))[0]).toMatchObject({
      ok: false,
      found: `${liar} could not be asked: I am no Python`,
    });
    expect((await checkEnvironment(hints('/no/python')))[0]).toMatchObject({
      ok: false,
      found: 'The setting gpuLens.python names /no/python, which cannot be run.',
    });
  });
});

it('environmentText(checks) has a line for each, and one for what to do', () => {
  const checks = [
    {check: 'Python', ok: true, found: '3.11.2\nat /p', remedy: null},
    {check: 'Nsight Systems', ok: false, found: 'nsys was not found', remedy: 'Install it.'},
  ];
  expect(environmentText(checks)).toBe(`GPU Lens, what profiling can use on this machine: 1 of 2 are not there

✓ Python          3.11.2 at /p
✗ Nsight Systems  nsys was not found
                  → Install it.
`);
});
