import {chmodSync, mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it, vi} from 'vitest';
import {askProgram} from '../../src/launch/doctor/ask-program.js';
import {checkEnvironment} from '../../src/launch/doctor/check-environment.js';
import {environmentText} from '../../src/launch/doctor/environment-text.js';
import {gpuChecks} from '../../src/launch/doctor/gpu-checks.js';
import {isAtLeast, pythonChecks} from '../../src/launch/doctor/python-checks.js';
import {askPython, parsePythonFacts, type PythonFacts, type TorchFacts} from '../../src/launch/doctor/python-facts.js';
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

it('askPython(python) leaves the user’s own folders of modules beside the runner', async () => {
  vi.stubEnv('PYTHONPATH', '/my/modules');
  const tells = program('tells/python', 'echo "$PYTHONPATH"', 'exit 3');
  expect(await askPython(tells, runner)).toEqual({failure: `${runner}:/my/modules`});
  vi.stubEnv('PYTHONPATH', '');
  expect(await askPython(tells, runner)).toEqual({failure: runner});
  vi.unstubAllEnvs();
});

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

  it('wants CUDA on no Mac, and CUPTI of no PyTorch for ROCm', () => {
    const without = {cudaVersion: null, recordsCuda: false, cuptiVersion: null, devices: []};
    expect(summary({...without, hasMps: true}, true).filter(line => line.startsWith('-'))).toEqual([]);
    const rocm = {...without, hipVersion: '6.2', devices: ['AMD Instinct MI300X']};
    expect(summary({...rocm, recordsCuda: true})).toContain('+ CUPTI not needed: ROCm’s own tracer records');
    expect(summary(rocm)).toContain('- CUPTI PyTorch’s profiler was built without ROCm’s tracer');
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

  it('does not know who may read the counters where the driver does not tell', async () => {
    const places = {searchPath: join(folder, 'smi'), isRoot: false};
    for (const driverParameters of [join(folder, 'no-params'), parameters(7)]) {
      expect((await gpuChecks({...places, driverParameters}))[1]).toMatchObject({
        ok: true,
        found: `not known: ${driverParameters} does not tell`,
      });
    }
  });

  it('says of a program that cannot be started that it cannot be run', async () => {
    const file = join(folder, 'garbled', 'nvidia-smi');
    mkdirSync(join(file, '..'));
    writeFileSync(file, '#!/no/such/shell\n', {mode: 0o755});
    const [driver] = await gpuChecks({searchPath: join(folder, 'garbled')});
    expect(driver?.found).toMatch(/^nvidia-smi cannot be run: .*ENOENT/);
  });

  it('says what a driver says that does not answer, and that there is none', async () => {
    expect((await gpuChecks({searchPath: join(folder, 'broken')}))[0]).toMatchObject({
      ok: false,
      found: 'Failed to initialize NVML: Driver/library version mismatch',
    });
    expect(await gpuChecks({searchPath: ''})).toMatchObject([
      {ok: false, found: 'nvidia-smi was not found'},
      {ok: true, found: 'not looked at: there is no NVIDIA driver here that answers'},
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
  const old = writeStandInNsys(join(folder, 'tools', 'old-nsys'), '2020.3.1', null);
  expect((await toolChecks({setting: old, searchPath}))[0]).toMatchObject({
    ...{ok: false, found: `2020.3.1 at ${old}`},
    remedy: expect.stringMatching(/^It is too old to record: install 2021\.4 or later /) as string,
  });
  expect((await toolChecks({setting: '/no/nsys', searchPath}))[0]).toMatchObject({
    ok: false,
    found: '/no/nsys, which the setting gpuLens.nsys names, is not a program.',
  });
  expect((await toolChecks({setting: null, searchPath: '', installFolders: []}))[0]).toMatchObject({
    ok: false,
    found: 'nsys was not found',
  });
});

describe('askProgram(path, args)', () => {
  // Its child keeps the output open, from a session that no signal to the program's own group reaches.
  const endless = program('endless', 'setsid sleep 20 &', 'sleep 20');

  it('waits no longer than its limit', async () => {
    expect(await askProgram(endless, [], {limitMs: 200})).toEqual({failure: 'endless did not answer within 0.2 s'});
  });

  it('is cancelled by its caller', async () => {
    const stop = new AbortController();
    const answer = askProgram(endless, [], {signal: stop.signal});
    stop.abort();
    await expect(answer).rejects.toMatchObject({code: 'import/cancelled'});
  });
});

describe('checkEnvironment(hints)', () => {
  it('throws where it is cancelled, and calls nothing bad that was not looked at', async () => {
    const python = {selected: null, setting: null, workspaceFolders: []};
    const signal = AbortSignal.abort();
    await expect(checkEnvironment({python, nsys: {setting: null}, runner, signal})).rejects.toMatchObject({
      code: 'import/cancelled',
      message: 'The check of the environment was cancelled.',
    });
    const nsys = writeStandInNsys(join(folder, 'cancelled', 'nsys'), '2024.6.2', null);
    await expect(toolChecks({setting: nsys}, signal)).rejects.toMatchObject({code: 'import/cancelled'});
  });

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
