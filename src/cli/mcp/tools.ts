import {checkAllowed, confinedPath, RefusedError, type Limits} from './confined.js';

/** What a client gave for a tool. */
export type ToolInput = Readonly<Record<string, unknown>>;

/** A tool: one command line of `gpu-lens`, whose JSON is the answer. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly properties: Readonly<Record<string, object>>;
  readonly required: readonly string[];
  /** Whether it runs a program of the person's. */
  readonly runs: boolean;
  /** The command's name, options, and what stands behind `--`. @throws RefusedError */
  readonly arguments: (input: ToolInput, limits: Limits) => readonly string[];
}

const text = (description: string) => ({type: 'string', description});
const file = text('Path of the profile: absolute, or relative to the first folder that may be read');
const command = {type: 'array', items: {type: 'string'}, minItems: 1, description: 'The program and its arguments'};
const part = {
  step: {type: 'integer', minimum: 0, description: 'One step alone'},
  filterNvtx: text('One range alone: range[@domain][/index]'),
};

function reading(
  name: string,
  description: string,
  args: (input: ToolInput) => readonly string[],
  more: object = {},
  required: readonly string[] = [],
): Tool {
  return {
    name,
    description,
    properties: {file, ...(more as Record<string, object>)},
    required: ['file', ...required],
    runs: false,
    arguments: (input, limits) => {
      const [first = '', ...rest] = args(input);
      return [
        first,
        ...rest.filter(word => word.startsWith('--')),
        '--format=json',
        '--',
        confinedPath(limits, textOf(input, 'file')),
        ...rest.filter(word => !word.startsWith('--')),
      ];
    },
  };
}

/** All tools. Times are whole ns where a key ends with "Ns"; nsys's tables have nsys's own titles with their units. */
export const tools: readonly Tool[] = [
  reading(
    'open',
    'What a profile holds: format, devices, counts, busy, idle and summed time of the GPU in ns, notes.',
    () => ['info'],
  ),
  reading(
    'summary',
    'GPU work by tagged range and by line, the largest first: where the time of a profile goes.',
    input => ['ranges', ...partOf(input)],
    part,
  ),
  reading(
    'lines',
    'GPU work of each range with the file and line that opened it, as the runner recorded them.',
    input => ['ranges', '--by=path', ...partOf(input)],
    part,
  ),
  reading(
    'table',
    'A report by its name: nsys reports such as cuda_gpu_kern_sum, cuda_api_sum, nvtx_sum, and key_averages.',
    input => ['stats', `--report=${textOf(input, 'report')}`, ...partOf(input)],
    {report: text('Name of the report'), ...part},
    ['report'],
  ),
  {
    ...reading(
      'query',
      'Read-only SQL (SQLite) over the tables of a profile, such as slices, gpu_operations, ranges, tracks.',
      () => ['query'],
      {sql: text('One SELECT')},
      ['sql'],
    ),
    arguments: (input, limits) => [
      'query',
      '--format=json',
      '--',
      confinedPath(limits, textOf(input, 'file')),
      textOf(input, 'sql'),
    ],
  },
  reading(
    'findings',
    'What stands in the way of the GPU, each with its evidence, the SQL behind it, file and line.',
    () => ['findings'],
  ),
  {
    name: 'compare',
    description: 'Whether GPU work differs between two profiles, in rows that add up, with noise and verdicts.',
    properties: {base: file, changed: file, by: {type: 'string', enum: ['range', 'module', 'op', 'class', 'kernel']}},
    required: ['base', 'changed'],
    runs: false,
    arguments: (input, limits) => [
      ...['compare', `--by=${optionalText(input, 'by') ?? 'range'}`, '--format=json', '--'],
      ...[confinedPath(limits, textOf(input, 'base')), confinedPath(limits, textOf(input, 'changed'))],
    ],
  },
  {
    name: 'prove',
    description: 'Runs a command at two git commits in turn and says whether the change is faster at the same work.',
    properties: {
      ...{base: text('A git commit'), changed: text('A git commit'), command},
      same: text('module:function of the base, whose result must be the same'),
      budgetSeconds: {type: 'number', exclusiveMinimum: 0},
    },
    required: ['base', 'changed', 'command'],
    runs: true,
    arguments: (input: ToolInput, limits: Limits): readonly string[] => {
      const [same, budget] = [optionalText(input, 'same'), input['budgetSeconds']];
      return [
        ...['prove', '--format=json', ...(same === null ? [] : [`--same=${same}`])],
        ...(typeof budget === 'number' ? [`--budget=${String(budget)}`] : []),
        ...['--', textOf(input, 'base'), textOf(input, 'changed'), ...commandOf(input, limits)],
      ];
    },
  },
  {
    name: 'profile',
    description: 'Runs a command, records some of its steps, and returns the paths of the profiles.',
    properties: {command},
    required: ['command'],
    runs: true,
    arguments: (input, limits) => ['profile', '--paths', '--name=mcp', '--', ...commandOf(input, limits)],
  },
];

function partOf(input: ToolInput): readonly string[] {
  const range = optionalText(input, 'filterNvtx');
  return [
    ...(typeof input['step'] === 'number' ? [`--step=${String(input['step'])}`] : []),
    ...(range === null ? [] : [`--filter-nvtx=${range}`]),
  ];
}

function commandOf(input: ToolInput, limits: Limits): readonly string[] {
  const words = input['command'];
  if (!Array.isArray(words) || words.length === 0 || !words.every(word => typeof word === 'string')) {
    throw new RefusedError('"command" is a list of texts: the program and its arguments.');
  }
  checkAllowed(limits, words);
  return words;
}

function textOf(input: ToolInput, key: string): string {
  const value = input[key];
  if (typeof value === 'string' && value !== '') return value;
  throw new RefusedError(`"${key}" is a text that is not empty.`);
}

function optionalText(input: ToolInput, key: string): string | null {
  return input[key] === undefined ? null : textOf(input, key);
}
