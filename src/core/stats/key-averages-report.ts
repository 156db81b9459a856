import {instantKindIndex} from '../trace/instants.js';
import type {Trace} from '../trace/trace.js';
import {oneLine} from '../format/cells.js';
import {foldedSteps, keyAverages, type KeyAverage} from './key-averages.js';
import {displayText} from './report-text.js';
import type {Report, ReportColumn, ReportDefinition, ReportInput, ReportRows} from './report.js';
import {numberColumn, textColumn} from './summary.js';

/** Orders that rows can be in, by PyTorch's names: the largest first. */
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

/**
 * `key_averages`: what `torch.profiler`'s `key_averages().table()` prints, made from the trace that it exported.
 *
 * @see docs/metrics.md#key-averages
 */
export const keyAveragesReport: ReportDefinition = {
  id: 'key_averages',
  oldId: null,
  title: 'PyTorch key_averages',
  options: [...sortKeys.keys()],
  details: () => [],
  about: 'PyTorch operators',
  columns: [
    textColumn('Name', 'the operator, annotation, Python function, API call or kernel; steps are one row'),
    share('Self CPU %', 'Self CPU of the sum of Self CPU over all rows'),
    time('Self CPU', 'durations, less those of the events right inside'),
    share('CPU total %', 'CPU total of the same sum: more than 100 % where events of the name nest'),
    time('CPU total', 'durations, summed: an event inside one of its own name counts again'),
    time('CPU time avg', 'CPU total ÷ # of Calls'),
    time('Self CUDA', 'of an operator: durations of what it launched itself; of a kernel: its durations'),
    share('Self CUDA %', 'Self CUDA of the sum over kernels, copies and memsets'),
    time('CUDA total', 'Self CUDA and that of everything inside'),
    time('CUDA time avg', 'CUDA total ÷ # of Calls'),
    memory('CPU Mem', 'allocated less freed of the host’s memory while its events ran, by any thread'),
    memory('Self CPU Mem', 'CPU Mem less that of the events right inside'),
    memory('CUDA Mem', 'allocated less freed of GPUs’ memory while its events ran, by any thread'),
    memory('Self CUDA Mem', 'CUDA Mem less that of the events right inside'),
    numberColumn('# of Calls', 'number of events'),
  ],
  rows: keyAverageRows,
  layout: torchTable,
};

function time(title: string, definition: string): ReportColumn {
  const isAverage = title.endsWith('avg');
  return {...numberColumn(title, `${definition}; ns`), ...(isAverage && {decimals: 1}), display: torchTime};
}

function memory(title: string, definition: string): ReportColumn {
  return {...numberColumn(title, `${definition}; bytes`), display: torchBytes};
}

/** PyTorch's text of bytes, in steps of 1024. */
function torchBytes(bytes: number): string {
  const steps = [' GB', ' MB', ' KB'].map((unit, at) => ({unit, bytes: 1024 ** (3 - at)}));
  const step = steps.find(candidate => Math.abs(bytes) >= candidate.bytes);
  return step ? (bytes / step.bytes).toFixed(2) + step.unit : `${String(bytes)} B`;
}

function share(title: string, definition: string): ReportColumn {
  return {...numberColumn(title, definition), decimals: 2, display: percent => `${percent.toFixed(2)}%`};
}

/** PyTorch's text of a time: in s from 1 s on, in ms from 1 ms on, else in µs. Negative times are in µs. */
export function torchTime(ns: number): string {
  if (ns >= 1e9) return `${(ns / 1e9).toFixed(3)}s`;
  return ns >= 1e6 ? `${(ns / 1e6).toFixed(3)}ms` : `${(ns / 1e3).toFixed(3)}us`;
}

function keyAverageRows(input: ReportInput): ReportRows {
  const {trace, options} = input;
  const rows = trace.counts.cpuOps + trace.counts.pythonFrames > 0 ? keyAverages(input) : [];
  const sortKey = sortKeys.get(options.at(-1) ?? '');
  if (sortKey) rows.sort((a, b) => sortKey(b) - sortKey(a));
  let cpuNs = 0;
  let deviceNs = 0;
  for (const {isDevice, isAnnotation, selfCpuNs, selfDeviceNs} of rows) {
    cpuNs += selfCpuNs;
    if (isDevice && !isAnnotation) deviceNs += selfDeviceNs;
  }
  const percent = (part: number, whole: number) => (whole === 0 ? null : Number(((100 * part) / whole).toFixed(2)));
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
        row.cpuTotalNs / row.count,
        row.selfDeviceNs,
        percent(row.selfDeviceNs, deviceNs),
        row.deviceTotalNs,
        row.deviceTotalNs / row.count,
        row.cpuBytes,
        row.selfCpuBytes,
        row.deviceBytes,
        row.selfDeviceBytes,
        row.count,
      ];
    },
  };
}

/** The columns that PyTorch leaves out: of a GPU that did nothing, of memory that nobody recorded or used. */
function idleColumns({instants}: Trace, rows: readonly KeyAverage[], deviceNs: number): ReadonlySet<string> {
  const isMemory = (title: string) => title.endsWith(' Mem');
  const hasMemory = instants.kind.includes(instantKindIndex.memory);
  const isOf = {
    gpuTime: deviceNs > 0,
    gpuMemory: hasMemory && rows.some(({selfDeviceBytes}) => selfDeviceBytes > 0),
  };
  const isIdle = (title: string) => {
    if (!title.includes('CUDA')) return isMemory(title) && !hasMemory;
    return isMemory(title) ? !isOf.gpuMemory : !isOf.gpuTime;
  };
  return new Set(keyAveragesReport.columns.map(({title}) => title).filter(isIdle));
}

const widestName = 55;
const columnWidth = 12;

/** The table as PyTorch lays it out: all to the right, names cut, no columns of a GPU that did nothing. */
function* torchTable({columns, rows}: Report): Generator<string> {
  const footer = rows.footer ?? [];
  const shown = columns.filter(({title}) => !rows.idle?.has(title));
  const names = Array.from({length: rows.length}, (_, row) => Array.from(oneLine(String(rows.cells(row)[0]))));
  const nameWidth = Math.min(widestName, names.reduce((most, {length}) => Math.max(most, length), 0) + 4);
  const widthOf = (at: number) => (at === 0 ? nameWidth : columnWidth);
  const line = (cells: readonly string[]) => `${cells.map((cell, at) => `${padded(cell, widthOf(at))}  `).join('')}\n`;
  const rule = line(shown.map((_, at) => '-'.repeat(widthOf(at))));
  yield rule;
  yield line(shown.map(({title}) => title));
  yield rule;
  for (let row = 0; row < rows.length; row++) {
    const cells = rows.cells(row);
    const texts = columns.map((column, at) => (cells[at] === null ? '--' : displayText(cells[at], column)));
    texts[0] =
      names[row].length >= widestName - 3 ? `${names[row].slice(0, widestName - 3).join('')}...` : names[row].join('');
    yield line(shown.map(column => texts[columns.indexOf(column)]));
  }
  yield rule;
  for (const text of footer) yield `${text}\n`;
  yield '\n';
}

/** Padded on the left, counting letters and not UTF-16 units. */
function padded(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - Array.from(text).length)) + text;
}
