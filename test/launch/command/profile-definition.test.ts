import {describe, expect, it} from 'vitest';
import {definitionArguments, definitionName, readDefinition} from '../../../src/launch/command/profile-definition.js';

const context = {
  python: '/venv/bin/python',
  recording: {warmup: 2, active: 3, shapes: true, memory: true},
  profiler: 'pytorch',
  output: '/w/.gpu-lens',
  launchTemplate: null,
};

describe('definitionArguments(definition, context)', () => {
  it('is an array for no shell to read, with the command behind "--"', () => {
    expect(
      definitionArguments({type: 'gpu-lens', script: 'my train.py', args: ['--lr', '$HOME; ls']}, context),
    ).toEqual([
      ...['--name=my train.py', '--python=/venv/bin/python', '--profiler=pytorch', '--output=/w/.gpu-lens'],
      ...['--warmup=2', '--active=3', '--memory', '--', '/venv/bin/python', 'my train.py', '--lr', '$HOME; ls'],
    ]);
  });

  it('lets every member of the definition win over the settings', () => {
    const definition = {
      type: 'gpu-lens',
      module: 'pkg.train',
      python: 'python3.12',
      profiler: 'nsys',
      capture: 'nvtx:a b',
      nsysOptions: '--kill=none',
      warmup: 5,
      active: 1,
      step: 'range:-x',
      device: 'cpu',
      shapes: false,
      memory: false,
      stop: true,
      runs: 2,
      launcher: 'torchrun',
      ranks: 4,
      output: 'out',
    } as const;
    expect(definitionArguments(definition, context)).toEqual([
      ...['--name=pkg.train', '--python=python3.12', '--profiler=nsys', '--capture=nvtx:a b'],
      ...['--nsys-options=--kill=none', '--runs=2', '--launcher=torchrun', '--ranks=4', '--output=out'],
      ...['--warmup=5', '--active=1', '--step=range:-x', '--device=cpu', '--no-shapes', '--stop'],
      ...['--', 'python3.12', '-m', 'pkg.train'],
    ]);
  });

  it('takes of the settings what has an effect under the profiler', () => {
    const settings = {...context, recording: {warmup: 4, memory: true}, capture: 'steps', nsysOptions: '--kill=none'};
    const options = (profiler: string, capture?: string) =>
      definitionArguments(
        {type: 'gpu-lens', script: 'a.py', profiler, ...(capture !== undefined && {capture})},
        settings,
      ).filter(argument => /^--(capture|nsys|warmup|memory)/.test(argument));
    expect(options('pytorch')).toEqual(['--warmup=4', '--memory']);
    expect(options('nsys')).toEqual(['--capture=steps', '--nsys-options=--kill=none', '--warmup=4']);
    expect(options('nsys', 'run')).toEqual(['--capture=run', '--nsys-options=--kill=none']);
    expect(options('cross-check')).toEqual(['--nsys-options=--kill=none', '--warmup=4', '--memory']);
  });

  it('has no command where the definition names none: the command line says so', () => {
    expect(definitionArguments({type: 'gpu-lens'}, context).at(-1)).toBe('--');
  });
});

it.each([
  [{script: '/w/src/train.py'}, 'train.py'],
  [{script: 'C:\\w\\train.py'}, 'train.py'],
  [{module: 'pkg.train'}, 'pkg.train'],
  [{command: '/usr/bin/bash', args: ['-x', 'scripts/run.sh']}, 'run.sh'],
  [{command: './bench', args: ['12']}, 'bench'],
  [{command: 'bash'}, 'bash'],
])('definitionName(%j) is %j', (members, expected) => {
  expect(definitionName({type: 'gpu-lens', ...members})).toBe(expected);
});

it.each([
  [null, {}],
  ['x', {}],
  [{script: 7, args: 'x', env: ['a'], warmup: '3', ranks: 1.5, unknown: 1}, {}],
  [
    {type: 'other', script: 'a.py', args: ['a', 3], env: {A: 'b', C: 1}, active: 4},
    {script: 'a.py', args: ['a'], env: {A: 'b'}, active: 4},
  ],
])('readDefinition(%j) takes what is well formed', (value, expected) => {
  expect(readDefinition(value)).toEqual({type: 'gpu-lens', ...expected});
});
