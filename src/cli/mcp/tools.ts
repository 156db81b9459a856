import {confinedPath} from './confined.js';
import {isOn, optionalText, textOf, textsOf, wholeOf} from './input.js';
import {runningTools} from './running-tools.js';
import {file, part, partOf, reading, text, type Tool} from './tool.js';

const groups = ['range', 'module', 'op', 'class', 'kernel'];

/** All tools. Times are whole ns where a key ends with "Ns"; nsys's tables have nsys's own titles with their units. */
export const tools: readonly Tool[] = [
  reading('open', {
    title: 'Open a profile',
    description:
      'What a profile holds: format, devices, counts, notes, and busy, idle and summed time of the GPU (keys that end with Ns are nanoseconds). Without GPU work, times of the CPU are what there is.',
    options: () => ['info'],
  }),
  reading('summary', {
    title: 'Sum a profile up',
    description:
      'CPU and GPU time of each tagged range, module and line over all recorded steps, the largest first. Begin here.',
    properties: part,
    options: input => ['ranges', ...partOf(input)],
  }),
  reading('lines', {
    title: 'Figures of source lines',
    description:
      'Figures of each source line that ran: count, CPU and GPU time, and whether the line has been edited since ("source": as recorded, moved, edited, unknown; "lineNow"). cpuWallNs has lines that it calls in it, cpuSelfNs has not. With functions, Python functions by their call paths instead (of a profile that was recorded with stack).',
    properties: {...part, functions: {type: 'boolean', description: 'Python functions by call path'}},
    options: input => [
      ...['ranges', ...(isOn(input, 'functions') ? ['--by=path', '--kinds=python', '--all-figures'] : ['--by=line'])],
      ...partOf(input),
    ],
  }),
  reading('table', {
    title: 'A table of a profile',
    description:
      'Any report by its name, such as cuda_gpu_kern_sum (kernels), cuda_api_sum, cuda_gpu_mem_time_sum, nvtx_sum, step_breakdown, modules_sum, key_averages (operators, also of the CPU).',
    properties: {report: text('Name of the report'), ...part},
    required: ['report'],
    options: input => ['stats', `--report=${textOf(input, 'report')}`, ...partOf(input)],
  }),
  reading('query', {
    title: 'Query a profile by SQL',
    description:
      "One read-only SELECT (SQLite) over the tables of a profile: kernels, gpu_operations, ranges, api_calls, operators, slices, tracks, threads, devices, lines, notes. SELECT name FROM pragma_table_info('ranges') lists columns.",
    properties: {sql: text('One SELECT')},
    required: ['sql'],
    options: () => ['query'],
    behind: input => [textOf(input, 'sql')],
  }),
  reading('findings', {
    title: 'What slows it down',
    description:
      'What keeps the GPU from its work, each with severity, evidence, the most that mending it can bring (gainAtMostNs), file and line. Of a profile without GPU work use lines.',
    properties: part,
    options: input => ['findings', ...partOf(input)],
  }),
  reading('whatif', {
    title: 'What a change would bring',
    description:
      'Predicts what a step would take with changes, from a replay of the profile, and its critical path. A prediction is not a measurement: use prove for that.',
    properties: {
      step: part.step,
      changes: {
        type: 'array',
        items: text('remove-sync, data-loader=0, launch-cost=0.5, faster=NAME:FACTOR, fuse=NAME, precision=bf16, …'),
        description: 'None to replay the step as it is',
      },
    },
    options: input => {
      const step = wholeOf(input, 'step', 0);
      const changes = textsOf(input, 'changes').map(change => `--apply=${change}`);
      // What an agent may read, it may not write.
      return ['whatif', '--no-keep', ...(step === null ? [] : [`--step=${String(step)}`]), ...changes];
    },
  }),
  {
    name: 'compare',
    title: 'Compare two profiles',
    description:
      'Whether GPU work differs between two profiles, in rows that add up, with noise and verdicts. One run each proves nothing about speed: use prove.',
    properties: {base: file, changed: file, by: {type: 'string', enum: groups, description: 'Rows; range without it'}},
    required: ['base', 'changed'],
    runs: false,
    arguments: (input, limits) => [
      ...['compare', `--by=${optionalText(input, 'by') ?? 'range'}`, '--format=json', '--'],
      ...[confinedPath(limits, textOf(input, 'base')), confinedPath(limits, textOf(input, 'changed'))],
    ],
  },
  ...runningTools,
];
