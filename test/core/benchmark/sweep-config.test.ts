import {describe, expect, it} from 'vitest';
import {expandCommand} from '../../../src/core/benchmark/command-matrix.js';
import {parseSweepConfig} from '../../../src/core/benchmark/parse-config.js';
import {sweepPoints} from '../../../src/core/benchmark/sweep-points.js';

const points = (value: unknown) => sweepPoints(parseSweepConfig(value, 'sweep'));

describe('parseSweepConfig(value, name)', () => {
  it('takes the reference model with five warm-up and ten measured steps where nothing is said', () => {
    expect(parseSweepConfig({}, 'mine')).toMatchObject({
      name: 'mine',
      target: {kind: 'reference'},
      warmupSteps: 5,
      steps: 10,
      passes: ['forward', 'forward+backward', 'train'],
    });
  });

  it('knows the sizes by name, and shapes', () => {
    const {sizes} = parseSweepConfig({sizes: ['xl', {name: 'own', dModel: 8, dFf: 9, layers: 1, heads: 2}]}, '');
    expect(sizes).toEqual([
      {name: 'xl', dModel: 1600, dFf: 6400, layers: 48, heads: 25},
      {name: 'own', dModel: 8, dFf: 9, layers: 1, heads: 2},
    ]);
  });

  it.each([
    [[], 'The sweep is not an object.'],
    [{stepz: 3}, /^The sweep has "stepz", which is none of batches, /],
    [{steps: 0}, '"steps" of the sweep must be a whole number from 1 on.'],
    [{batches: []}, '"batches" of the sweep must be a list of whole numbers.'],
    [{precisions: ['fp8']}, '"precisions" of the sweep must be a list of fp32, tf32, bf16, fp16.'],
    [{devices: ['cuda; rm']}, '"devices" of the sweep must be a list of auto, cpu, cuda, cuda:1, mps.'],
    [{sizes: [{name: 'x'}]}, 'A size needs "name", "dModel", "dFf", "layers" and "heads".'],
    [
      {sizes: [{name: 'x', dModel: 6, dFf: 1, layers: 1, heads: 2}]},
      'The size "x" needs a dModel that is an even number of elements for each of its heads.',
    ],
    [{callable: 'no function'}, '"callable" of the sweep must be module:function or path/to/file.py:function.'],
    [{command: 'ls -l'}, '"command" must be a list of texts: a program and its arguments.'],
    [{command: ['a'], callable: 'a:b'}, 'The sweep has both "callable" and "command": one of them is measured.'],
    [
      {command: ['a'], batches: [1]},
      'A command has no "batches": write what it varies into its arguments, as {1,2,4}.',
    ],
    [{command: ['a'], environment: {'A=': 'b'}}, '"environment" has "A=", which is not the name of a variable.'],
  ])('%j is one sentence', (value, sentence) => {
    expect(() => parseSweepConfig(value, '')).toThrow(sentence);
  });
});

describe('sweepPoints(config)', () => {
  it('is every combination, sizes outermost and passes innermost', () => {
    const all = points({sizes: ['small', 'large'], contextLengths: [128, 256], passes: ['forward', 'train']});
    expect(all.map(({label, contextLength, pass}) => [label, contextLength, pass])).toEqual([
      ['small', 128, 'forward'],
      ['small', 128, 'train'],
      ['small', 256, 'forward'],
      ['small', 256, 'train'],
      ['large', 128, 'forward'],
      ['large', 128, 'train'],
      ['large', 256, 'forward'],
      ['large', 256, 'train'],
    ]);
  });

  it('tells a callable only what the sweep lists', () => {
    expect(points({callable: 'mine:make', batches: [1, 2]})).toMatchObject([
      {label: 'mine:make', function: 'mine:make', batch: 1, contextLength: null, pass: null, precision: null},
      {batch: 2},
    ]);
  });

  it('takes commands by name, their environment and the lists in their arguments', () => {
    const all = points({
      commands: {old: ['python', 'old.py', '--n', '{1,2}'], new: ['python', 'new.py']},
      environment: {MODE: ['a', 'b'], FIXED: 'x'},
    });
    expect(
      all.map(({variant, label, command, environment}) => [variant, label, command.join(' '), environment]),
    ).toEqual([
      ['old', 'MODE=a --n 1', 'python old.py --n 1', {MODE: 'a', FIXED: 'x'}],
      ['old', 'MODE=a --n 2', 'python old.py --n 2', {MODE: 'a', FIXED: 'x'}],
      ['old', 'MODE=b --n 1', 'python old.py --n 1', {MODE: 'b', FIXED: 'x'}],
      ['old', 'MODE=b --n 2', 'python old.py --n 2', {MODE: 'b', FIXED: 'x'}],
      ['new', 'MODE=a', 'python new.py', {MODE: 'a', FIXED: 'x'}],
      ['new', 'MODE=b', 'python new.py', {MODE: 'b', FIXED: 'x'}],
    ]);
  });

  it('counts points before it makes them', () => {
    const many = Array.from({length: 200}, (_, at) => at + 1);
    expect(() => points({contextLengths: many, batches: many})).toThrow('more than 10000 points');
    const list = `{${many.join(',')}}`;
    expect(() => points({command: ['a', list, list, list]})).toThrow('more than 10000 points');
  });
});

describe('expandCommand(command)', () => {
  it('takes every combination of the lists, the last one fastest', () => {
    const command = ['run', '--batch-size', '{1,2}', '--model-parallel-size', '{1,2}'];
    expect(expandCommand(command).map(({label}) => label)).toEqual([
      '--batch-size 1 --model-parallel-size 1',
      '--batch-size 1 --model-parallel-size 2',
      '--batch-size 2 --model-parallel-size 1',
      '--batch-size 2 --model-parallel-size 2',
    ]);
  });

  it('takes lists inside an argument, and leaves JSON, sets of one and blanks alone', () => {
    expect(expandCommand(['--size={s,m}x{1,2}']).map(({args}) => args[0])).toEqual([
      '--size=sx1',
      '--size=sx2',
      '--size=mx1',
      '--size=mx2',
    ]);
    const plain = ['{"a":1,"b":2}', '{x}', '{a, b}', '{}'];
    expect(expandCommand(plain)).toEqual([{args: plain, label: ''}]);
  });

  it('goes through a text once that begins as a list and is none', () => {
    const commas = [`{${','.repeat(100_000)}`];
    expect(expandCommand(commas)).toEqual([{args: commas, label: ''}]);
    expect(points({command: commas})).toHaveLength(1);
  });
});
