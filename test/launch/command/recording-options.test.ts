import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {
  idleOption,
  misusedOption,
  readRecordingValues,
  recordingArguments,
  recordingOf,
  recordingOptions,
  runnerArguments,
} from '../../../src/launch/command/recording-options.js';
import {project} from '../../support/project.js';

interface Property {
  readonly type: string;
  readonly minimum?: number;
  readonly enum?: readonly string[];
  readonly pattern?: string;
}

interface Manifest {
  readonly contributes: {
    readonly taskDefinitions: readonly [{readonly properties: Readonly<Record<string, Property>>}];
  };
}

const rows = Object.entries(recordingOptions);

describe('recordingOptions', () => {
  it('are properties of a task, which take the same values', () => {
    const manifest = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as Manifest;
    const {properties} = manifest.contributes.taskDefinitions[0];
    for (const [member, {type, form}] of rows) {
      const property = properties[member];
      expect(property?.type, member).toBe(type);
      if (form === null) continue;
      const {minimum, enum: words = [], pattern} = property ?? {type: ''};
      if (minimum !== undefined) {
        expect(form.pattern.test(String(minimum)), member).toBe(true);
        expect(form.pattern.test(String(minimum - 1)), member).toBe(false);
      }
      for (const word of words) expect(form.pattern.test(word), member).toBe(true);
      if (pattern !== undefined) expect(pattern).toBe(form.pattern.source);
      expect(minimum ?? pattern ?? property?.enum, member).toBeDefined();
    }
  });

  it('are options of the runner and of the command line’s help', () => {
    const runner = readFileSync(join(project, 'src', 'runner', 'gpulens_runner', 'options.py'), 'utf8');
    const help = readFileSync(join(project, 'src', 'cli', 'commands', 'profile.ts'), 'utf8');
    for (const [member, {option, form}] of rows) {
      const value = form === null ? recordingOf({[option]: true}) : {[member]: '1'};
      const [name = ''] = runnerArguments(value);
      expect(runner).toContain(`add("${name}"`);
      // The command line has it as a value of another: `--memory history`.
      if (member === 'memoryHistory') expect(help).toContain('[--memory [history]]');
      else expect(help).toMatch(new RegExp(`\\[--${option}[ \\]]`));
    }
  });
});

it('recordingArguments(values) says what differs, and nothing where nothing is said', () => {
  expect(recordingArguments({})).toEqual([]);
  expect(recordingArguments({warmup: 4, prewarm: 0, step: 'range:-x', windowSeconds: 0.5})).toEqual([
    ...['--warmup=4', '--prewarm=0', '--step=range:-x', '--window=0.5'],
  ]);
  expect(recordingArguments({shapes: true, stacks: false, memory: true, modules: false, stop: true})).toEqual([
    ...['--memory', '--no-modules', '--stop'],
  ]);
});

it('recordingOf(given) reads a command line, and runnerArguments(values) says the same in the runner’s words', () => {
  const given = {warmup: '4', step: 'range:a b', 'window-delay': '0.5', 'no-shapes': true, stop: true, other: 'x'};
  const values = recordingOf(given);
  expect(values).toEqual({warmup: 4, step: 'range:a b', windowDelaySeconds: 0.5, shapes: false, stop: true});
  expect(runnerArguments(values)).toEqual([
    ...['--warmup', '4', '--step', 'range:a b', '--window-delay', '0.5', '--no-shapes', '--after', 'stop'],
  ]);
});

it.each([
  [{warmup: '0'}, '--warmup takes a whole number from 1 on; not "0".'],
  [{active: '00'}, '--active takes a whole number from 1 on; not "00".'],
  [{step: 'range:'}, '--step takes auto, train, infer, window, range:NAME or FILE:LINE; not "range:".'],
  [{'window-delay': '-1'}, '--window-delay takes a number of seconds; not "-1".'],
  [{'step-limit': 'inf'}, '--step-limit takes a number of seconds; not "inf".'],
  [{warmup: '10', prewarm: '0', window: '2.5', step: 'range:a\nb', lines: true}, null],
])('misusedOption(%j) is %j', (given, sentence) => {
  expect(misusedOption(given)).toBe(sentence);
});

it.each([
  [{}, 'pytorch', null],
  [{memory: true, warmup: '3'}, 'pytorch', null],
  [{runs: '3'}, 'pytorch', null],
  [{capture: 'steps'}, 'pytorch', '--capture has no effect without --profiler nsys.'],
  [{'nsys-options': '-x'}, 'pytorch', '--nsys-options has no effect without --profiler nsys.'],
  [{runs: '3', capture: 'run'}, 'nsys', null],
  [{memory: true}, 'nsys', '--memory has no effect with --profiler nsys.'],
  [{warmup: '3'}, 'nsys', '--warmup has no effect with --profiler nsys but with --capture steps.'],
  [{warmup: '3', active: '1', step: 'train', stop: true, capture: 'steps'}, 'nsys', null],
  [{device: 'cpu', capture: 'steps'}, 'nsys', '--device has no effect with --profiler nsys.'],
  [{stack: false, lines: false}, 'nsys', null],
])('idleOption(%j, %j) is %j', (given, profiler, sentence) => {
  expect(idleOption(given, profiler)).toBe(sentence);
});

it('readRecordingValues(fields) takes what is of its type', () => {
  const fields = {
    warmup: 1.5,
    active: '3',
    step: '',
    device: 'cpu',
    windowSeconds: 0.5,
    stop: 'yes',
    lines: true,
    x: 1,
  };
  expect(readRecordingValues(fields)).toEqual({device: 'cpu', windowSeconds: 0.5, lines: true});
});
