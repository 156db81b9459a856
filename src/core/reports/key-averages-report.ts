import {instantKindIndex} from '../trace/instants.js';
import type {Trace} from '../trace/trace.js';
import {printedFixed} from '../format/printed-fixed.js';
import {hasNoEvents} from './empty-traces.js';
import {foldedSteps, keyAverages, type KeyAverage} from './key-averages.js';
import {framesText, groupingOf, groupingWords, stackWord} from './key-averages-grouping.js';
import {torchTable} from './key-averages-table.js';
import type {ReportInput} from '../figures/report-input.js';
import {
  roundedToTenth,
  type ColumnMeaning,
  type ReportColumn,
  type ReportDefinition,
  type ReportRows,
} from './report.js';
import {amount, drawn, numberColumn, tally, textColumn} from './summary.js';

/** Sort keys by their names in PyTorch. Each sorts the largest first. */
const sortKeys: ReadonlyMap<string, (row: KeyAverage) => number> = new Map(
  Object.entries({
    self_cpu_time_total: (row: KeyAverage) => row.selfCpuNs,
    cpu_time_total: (row: KeyAverage) => row.cpuTotalNs,
    cpu_time: (row: KeyAverage) => row.cpuTotalNs / row.count,
    self_cuda_time_total: (row: KeyAverage) => row.selfDeviceNs,
    self_device_time_total: (row: KeyAverage) => row.selfDeviceNs,
    cuda_time_total: (row: KeyAverage) => row.deviceTotalNs,
    device_time_total: (row: KeyAverage) => row.deviceTotalNs,
    cuda_time: (row: KeyAverage) => row.deviceTotalNs / row.count,
    device_time: (row: KeyAverage) => row.deviceTotalNs / row.count,
    count: (row: KeyAverage) => row.count,
  }),
);

const inputShapesColumn = textColumn('Input Shapes', 'sizes of the inputs, with `group_by_input_shape`');
const sourceColumn = textColumn(
  'Source Location',
  'Python frames around the events, the innermost first, with `group_by_stack_n=N`',
);

/**
 * `key_averages`: what `torch.profiler`'s `key_averages().table()` prints, made from the trace that it exported.
 *
 * @see docs/metrics.md#key-averages
 */
export const keyAveragesReport: ReportDefinition = {
  id: 'key_averages',
  oldId: null,
  title: 'PyTorch key_averages',
  options: [...groupingWords, ...sortKeys.keys()],
  numberOptions: [stackWord],
  details: options => (groupingOf(options).hasInputShapes ? ['inputShapes'] : []),
  about: 'PyTorch operators',
  tabs: [
    {id: 'operators', title: 'Operators', row: 'operator', after: 'kernel-classes', group: 'CPU', isEmpty: hasNoEvents},
    {
      id: 'operators-by-shape',
      title: 'Operators by input shape',
      row: 'operator',
      options: ['group_by_input_shape'],
      after: 'operators',
    },
    {
      id: 'operators-by-stack',
      title: 'Operators by stack',
      row: 'operator',
      options: ['group_by_stack_n=5'],
      after: 'operators-by-shape',
    },
    {
      id: 'operators-and-python',
      title: 'Operators and Python',
      row: 'operator',
      about: 'PyTorch operators and Python functions',
      options: ['python'],
      after: 'operators-by-stack',
    },
  ],
  columns: [
    textColumn('Name', 'the operator, annotation, Python function, API call or kernel; steps are one row', {
      role: 'name',
    }),
    share('Self CPU %', 'Self CPU of the sum of Self CPU over all rows', drawn),
    time('Self CPU', 'durations, less those of the events right inside', amount),
    share('CPU total %', 'CPU total of the same sum: more than 100 % where events of the name nest'),
    time('CPU total', 'durations, summed: an event inside one of its own name counts again'),
    time('CPU time avg', 'CPU total ÷ # of Calls'),
    time('Self CUDA', 'of an operator: durations of what it launched itself; of a kernel: its durations', drawn),
    share('Self CUDA %', 'Self CUDA of the sum over kernels, copies and memsets', drawn),
    time('CUDA total', 'Self CUDA and that of everything inside'),
    time('CUDA time avg', 'CUDA total ÷ # of Calls'),
    memory('CPU Mem', 'allocated less freed of the host’s memory while its events ran, by any thread'),
    memory('Self CPU Mem', 'CPU Mem less that of the events right inside'),
    memory('CUDA Mem', 'allocated less freed of GPUs’ memory while its events ran, by any thread'),
    memory('Self CUDA Mem', 'CUDA Mem less that of the events right inside'),
    numberColumn('# of Calls', 'number of events', tally),
    inputShapesColumn,
    sourceColumn,
  ],
  columnsWith: options => {
    const {hasInputShapes, frames} = groupingOf(options);
    const isThere = ({title}: ReportColumn) =>
      (title !== inputShapesColumn.title || hasInputShapes) && (title !== sourceColumn.title || frames > 0);
    return keyAveragesReport.columns.filter(isThere);
  },
  rows: keyAverageRows,
  layout: torchTable,
};

function time(title: string, definition: string, meaning: ColumnMeaning = {}): ReportColumn {
  const isAverage = title.endsWith('avg');
  return {...numberColumn(title, `${definition}; ns`, meaning), ...(isAverage && {decimals: 1}), display: torchTime};
}

function memory(title: string, definition: string): ReportColumn {
  return {...numberColumn(title, `${definition}; bytes`), display: torchBytes};
}

/** Returns PyTorch's text of bytes, in steps of 1024. */
function torchBytes(bytes: number): string {
  const steps = [' GB', ' MB', ' KB'].map((unit, at) => ({unit, bytes: 1024 ** (3 - at)}));
  const step = steps.find(candidate => Math.abs(bytes) >= candidate.bytes);
  return step ? printedFixed(bytes / step.bytes, 2) + step.unit : `${String(bytes)} B`;
}

function share(title: string, definition: string, meaning: ColumnMeaning = {}): ReportColumn {
  return {...numberColumn(title, definition, meaning), decimals: 2, display: percent => `${printedFixed(percent, 2)}%`};
}

/** Returns PyTorch's text of a time: in s from 1 s, in ms from 1 ms, else in µs. Negative times are in µs. */
export function torchTime(ns: number): string {
  const us = ns / 1e3;
  if (us >= 1e6) return `${printedFixed(us / 1e6, 3)}s`;
  return us >= 1e3 ? `${printedFixed(us / 1e3, 3)}ms` : `${printedFixed(us, 3)}us`;
}

function keyAverageRows(input: ReportInput): ReportRows {
  const {trace, options} = input;
  const grouping = groupingOf(options);
  const isThere = trace.counts.cpuOps > 0 || (grouping.hasPython && trace.counts.pythonFrames > 0);
  const rows = isThere ? keyAverages(input, grouping) : [];
  const sortKey = options.map(option => sortKeys.get(option)).findLast(key => key !== undefined);
  if (sortKey) rows.sort((a, b) => sortKey(b) - sortKey(a));
  let cpuNs = 0;
  let deviceNs = 0;
  for (const {isDevice, isAnnotation, selfCpuNs, selfDeviceNs} of rows) {
    cpuNs += selfCpuNs;
    if (isDevice && !isAnnotation) deviceNs += selfDeviceNs;
  }
  const percent = (part: number, whole: number) => (whole === 0 ? null : Number(printedFixed((100 * part) / whole, 2)));
  const footer = [`Self CPU time total: ${torchTime(cpuNs)}`];
  if (deviceNs > 0) footer.push(`Self CUDA time total: ${torchTime(deviceNs)}`);
  return {
    length: rows.length,
    footer,
    idle: idleColumns(trace, rows, deviceNs),
    isFolded: at => rows[at].count > 1 && rows[at].name === foldedSteps,
    cells: at => {
      const row = rows[at];
      return [
        row.name,
        percent(row.selfCpuNs, cpuNs),
        row.selfCpuNs,
        percent(row.cpuTotalNs, cpuNs),
        row.cpuTotalNs,
        roundedToTenth(row.cpuTotalNs / row.count),
        row.selfDeviceNs,
        percent(row.selfDeviceNs, deviceNs),
        row.deviceTotalNs,
        roundedToTenth(row.deviceTotalNs / row.count),
        row.cpuBytes,
        row.selfCpuBytes,
        row.deviceBytes,
        row.selfDeviceBytes,
        row.count,
        ...(grouping.hasInputShapes ? [row.inputShapes] : []),
        ...(grouping.frames > 0 ? [framesText(row.frames)] : []),
      ];
    },
  };
}

/** Returns the columns that PyTorch omits: GPU columns without GPU work, memory columns without memory events. */
function idleColumns({instants}: Trace, rows: readonly KeyAverage[], deviceNs: number): ReadonlySet<string> {
  const isMemory = (title: string) => title.endsWith(' Mem');
  const hasMemory = instants.kind.includes(instantKindIndex.memory);
  const isOf = {
    gpuTime: deviceNs > 0,
    gpuMemory: hasMemory && rows.some(({selfDeviceBytes}) => selfDeviceBytes > 0),
  };
  const isIdle = (title: string) => {
    if (title === inputShapesColumn.title) return rows.every(({inputShapes}) => /^(\[\])?$/.test(inputShapes));
    if (title === sourceColumn.title) return rows.every(({frames}) => frames.length === 0);
    if (!title.includes('CUDA')) return isMemory(title) && !hasMemory;
    return isMemory(title) ? !isOf.gpuMemory : !isOf.gpuTime;
  };
  return new Set(keyAveragesReport.columns.map(({title}) => title).filter(isIdle));
}
