import {readdirSync, readFileSync} from 'node:fs';
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
const manifest = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as Manifest;
const {properties} = manifest.contributes.taskDefinitions[0];

const help = readFileSync(join(project, 'src', 'cli', 'commands', 'profile.ts'), 'utf8');
const runnerFolder = join(project, 'src', 'runner', 'gpulens_runner');
const parser = readFileSync(join(runnerFolder, 'options.py'), 'utf8');
const runner = readdirSync(runnerFolder)
  .filter(name => name.endsWith('.py'))
  .map(name => readFileSync(join(runnerFolder, name), 'utf8'))
  .join('\n');
const [, recorded = ''] =
  /^## What is recorded\n([^]*?)\n##/m.exec(readFileSync(join(project, 'docs', 'profiling.md'), 'utf8')) ?? [];

interface Row {
  readonly option: string;
  readonly type: string;
  readonly form: {readonly pattern: RegExp} | null;
  readonly runner?: readonly string[];
}

/** Returns a sentence for each place that an option needs beside its row, and lacks. */
function missingPlaces(member: string, {option, form, runner: words = [`--${option}`]}: Row): string[] {
  const name = words[0] ?? '';
  const destination = name.slice(2).replaceAll('-', '_');
  // The command line has the history as a value of another option: `--memory history`.
  const written = member === 'memoryHistory' ? /\[--memory \[history\]\]/ : new RegExp(`\\[--${option}[ \\]]`);
  const documented = member === 'memoryHistory' ? /`--memory history`/ : new RegExp(`[\`\\s]--${option}[\`\\s]`);
  const places: readonly (readonly [isThere: boolean, sentence: string])[] = [
    [member in properties, 'add the property to the task in package.json, contributes.taskDefinitions.'],
    [
      written.test(help),
      `add [--${option}${form === null ? '' : ' VALUE'}] to the usage in src/cli/commands/profile.ts.`,
    ],
    [parser.includes(`add("${name}"`), `add add("${name}", …) to src/runner/gpulens_runner/options.py.`],
    [
      new RegExp(`\\boptions\\.${destination}\\b`).test(runner),
      `pass options.${destination} on to Config, in _config of src/runner/gpulens_runner/supervisor.py.`,
    ],
    [
      recorded.includes(`\`${member}\``) && documented.test(recorded),
      `add \`${member}\` and \`--${option}\` to the table "What is recorded" of docs/profiling.md.`,
    ],
  ];
  return places.filter(([isThere]) => !isThere).map(([, sentence]) => `${member}: ${sentence}`);
}

describe('recordingOptions', () => {
  it('are properties of a task, which take the same values', () => {
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

  it('are in every place that an option needs', () => {
    expect(rows.flatMap(([member, row]) => missingPlaces(member, row))).toEqual([]);
  });

  it('are told in a sentence for each place that one lacks', () => {
    expect(
      missingPlaces('dummySeconds', {option: 'dummy', type: 'number', form: recordingOptions.graceSeconds.form}),
    ).toEqual([
      'dummySeconds: add the property to the task in package.json, contributes.taskDefinitions.',
      'dummySeconds: add [--dummy VALUE] to the usage in src/cli/commands/profile.ts.',
      'dummySeconds: add add("--dummy", …) to src/runner/gpulens_runner/options.py.',
      'dummySeconds: pass options.dummy on to Config, in _config of src/runner/gpulens_runner/supervisor.py.',
      'dummySeconds: add `dummySeconds` and `--dummy` to the table "What is recorded" of docs/profiling.md.',
    ]);
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
