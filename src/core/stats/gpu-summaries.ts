import {insideNs} from '../attribution/chosen.js';
import {reportMemoryName} from '../format/memory-operation-name.js';
import {kindIndex} from '../trace/slices.js';
import {groupStatistics} from './group-statistics.js';
import {combineGroups, TextGroups} from './group-index.js';
import {kernelClass} from './kernel-class.js';
import {kernelGrouper, kernelNameOptions} from './kernel-names.js';
import type {DetailKind} from './report-details.js';
import type {ReportColumn, ReportDefinition, ReportInput, ReportRows} from './report.js';
import {durationColumns, groupsByTotal, numberColumn, summaryRows, textColumn} from './summary.js';

/** What the kernel reports' options need from the file. */
export function kernelNameDetails(options: readonly string[]): DetailKind[] {
  const details: DetailKind[] = [];
  if (options.includes('base') || options.includes('mangled')) details.push('operations');
  if (options.includes('nvtx-name')) details.push('ranges');
  return details;
}

const kernelTitles = {of: 'kernels', count: 'Instances'} as const;
const kernelName = textColumn('Name', 'the kernel, demangled; its base or mangled name where that was asked for');

/** `cuda_gpu_kern_sum`: kernels by name. @see docs/metrics.md#cuda-gpu-kern-sum */
export const kernelSummary: ReportDefinition = {
  id: 'cuda_gpu_kern_sum',
  oldId: null,
  title: 'CUDA GPU Kernel Summary',
  options: kernelNameOptions,
  details: kernelNameDetails,
  about: 'CUDA kernel data',
  columns: [...durationColumns(kernelTitles), kernelName],
  rows(input) {
    const names = new TextGroups();
    const groupOf = kernelGroups(input, kernelGrouper(input, names));
    return summaryRows(operationDurations(input), {groupOf, length: names.texts.length}, group => [names.texts[group]]);
  },
};

/** `cuda_gpu_kern_gb_sum`: kernels by name, grid and block; what nsys up to 2022.4 called `gpukernsum`. */
export const kernelGridBlockSummary: ReportDefinition = {
  id: 'cuda_gpu_kern_gb_sum',
  oldId: 'gpukernsum',
  title: 'CUDA GPU Kernel/Grid/Block Summary',
  options: kernelNameOptions,
  details: options => [...new Set<DetailKind>(['operations', ...kernelNameDetails(options)])],
  about: 'CUDA kernel data',
  columns: [
    ...durationColumns(kernelTitles),
    textColumn('GridXYZ', 'blocks of the grid in x, y and z'),
    textColumn('BlockXYZ', 'threads of a block in x, y and z'),
    kernelName,
  ],
  rows(input) {
    const names = new TextGroups();
    const nameOf = kernelGroups(input, kernelGrouper(input, names));
    const table = input.details.operations?.table;
    const shapes = table ? [table.gridX, table.gridY, table.gridZ, table.blockX, table.blockY, table.blockZ] : [];
    const groups = combineGroups([nameOf, ...shapes]);
    const three = (columns: readonly Int32Array[], row: number) =>
      columns.length === 0 ? 'None' : columns.map(column => String(column[row]).padStart(4)).join(' ');
    return summaryRows(operationDurations(input), groups, group => {
      const row = groups.firstRow[group];
      return [three(shapes.slice(0, 3), row), three(shapes.slice(3), row), names.texts[nameOf[row]]];
    });
  },
};

const memoryTitles = {of: 'copies and memsets', count: 'Count'} as const;
const memoryOperation = textColumn('Operation', 'direction of the copy, or memset');

/** `cuda_gpu_mem_time_sum`: time of copies and memsets by direction. */
export const memoryTimeSummary: ReportDefinition = {
  id: 'cuda_gpu_mem_time_sum',
  oldId: 'gpumemtimesum',
  title: 'CUDA GPU MemOps Summary (by Time)',
  options: [],
  details: () => [],
  about: 'GPU memory data',
  columns: [...durationColumns(memoryTitles), memoryOperation],
  rows(input) {
    const names = new TextGroups();
    const groupOf = memoryGroups(input, names);
    return summaryRows(operationDurations(input), {groupOf, length: names.texts.length}, group => [names.texts[group]]);
  },
};

/** `cuda_gpu_mem_size_sum`: bytes of copies and memsets by direction, in MB of 10^6 bytes. */
export const memorySizeSummary: ReportDefinition = {
  id: 'cuda_gpu_mem_size_sum',
  oldId: 'gpumemsizesum',
  title: 'CUDA GPU MemOps Summary (by Size)',
  options: [],
  details: () => [],
  about: 'GPU memory data',
  columns: [
    megabytes('Total', 'bytes, summed'),
    numberColumn('Count', 'number of copies or memsets'),
    megabytes('Avg', 'mean of the bytes'),
    megabytes('Med', 'median of the bytes'),
    megabytes('Min', 'least of the bytes'),
    megabytes('Max', 'most of the bytes'),
    megabytes('StdDev', 'sample standard deviation of the bytes'),
    memoryOperation,
  ],
  rows: memorySizeRows,
};

function memorySizeRows(input: ReportInput): ReportRows {
  const names = new TextGroups();
  const groupOf = memoryGroups(input, names);
  const {bytes} = input.trace.gpuOperations;
  const known = Float64Array.from(bytes, value => (value < 0 ? NaN : value));
  const statistics = groupStatistics(known, {groupOf, length: names.texts.length});
  const order = groupsByTotal(statistics, group => [names.texts[group]]);
  return {
    length: order.length,
    cells: row => {
      const group = order[row];
      const {total, count, mean, median, min, max, standardDeviation} = statistics;
      const sizes = [mean, median, min, max, standardDeviation].map(column => inMegabytes(column[group]));
      return [inMegabytes(total[group]), count[group], ...sizes, names.texts[group]];
    },
  };
}

export const categoryColumns: readonly ReportColumn[] = [
  textColumn('Category', 'CUDA_KERNEL, MEMORY_OPER or CUDA_API'),
  textColumn('Operation', 'the kernel, the direction of the copy, or the API call'),
];

/** `cuda_gpu_sum`: kernels, copies and memsets together. */
export const gpuSummaryReport: ReportDefinition = {
  id: 'cuda_gpu_sum',
  oldId: 'gpusum',
  title: 'CUDA GPU Summary (Kernels/MemOps)',
  options: kernelNameOptions,
  details: kernelNameDetails,
  about: 'GPU kernel/memory operations data',
  columns: [...durationColumns({of: 'operations', count: 'Instances'}), ...categoryColumns],
  rows(input) {
    const {names, category, groupOf} = categorised(input);
    return summaryRows(operationDurations(input), {groupOf, length: names.texts.length}, group => [
      category[group],
      names.texts[group],
    ]);
  },
};

/** Operations by name with the category of each name: GPU rows of `cuda_gpu_sum` and `cuda_api_gpu_sum`. */
export function categorised(input: ReportInput): {names: TextGroups; category: string[]; groupOf: Int32Array} {
  const names = new TextGroups();
  const groupOf = kernelGroups(input, kernelGrouper(input, names));
  const category = names.texts.map(() => 'CUDA_KERNEL');
  const memory = memoryGroups(input, names);
  for (let operation = 0; operation < groupOf.length; operation++) {
    if (memory[operation] >= 0) groupOf[operation] = memory[operation];
  }
  while (category.length < names.texts.length) category.push('MEMORY_OPER');
  return {names, category, groupOf};
}

/** Durations of all operations, as much of them as lies in the scope's window, ns. */
export function operationDurations({trace: {slices, gpuOperations}, scope}: ReportInput): Float64Array {
  const durationNs = new Float64Array(gpuOperations.length);
  for (let operation = 0; operation < durationNs.length; operation++) {
    const slice = gpuOperations.slice[operation];
    durationNs[operation] = insideNs(slices.startNs[slice], slices.durationNs[slice], scope);
  }
  return durationNs;
}

/** The group of each kernel in scope, -1 for every other operation. */
export function kernelGroups({trace, scope}: ReportInput, groupOf: (operation: number) => number): Int32Array {
  const {slices, gpuOperations} = trace;
  const groups = new Int32Array(gpuOperations.length).fill(-1);
  for (let operation = 0; operation < groups.length; operation++) {
    if (scope.operations !== null && scope.operations[operation] === 0) continue;
    if (slices.kind[gpuOperations.slice[operation]] === kindIndex.kernel) groups[operation] = groupOf(operation);
  }
  return groups;
}

function memoryGroups({trace, scope}: ReportInput, names: TextGroups): Int32Array {
  const {slices, gpuOperations, strings} = trace;
  const byName = names.byNumber(strings.length, name => reportMemoryName(strings.get(name)));
  const groups = new Int32Array(gpuOperations.length).fill(-1);
  for (let operation = 0; operation < groups.length; operation++) {
    if (scope.operations !== null && scope.operations[operation] === 0) continue;
    const slice = gpuOperations.slice[operation];
    const kind = slices.kind[slice];
    if (kind === kindIndex.gpu_memcpy || kind === kindIndex.gpu_memset) groups[operation] = byName(slices.name[slice]);
  }
  return groups;
}

function megabytes(title: string, definition: string): ReportColumn {
  return {title, unit: 'megabytes', decimals: 3, definition};
}

/** MB of 10^6 bytes to three decimals, as nsys prints them; NaN gives null. */
export function inMegabytes(bytes: number): number | null {
  return Number.isNaN(bytes) ? null : Number((bytes / 1e6).toFixed(3));
}

/** `kernel_class_sum`: kernels by what their names say that they do. */
export const kernelClassSummary: ReportDefinition = {
  id: 'kernel_class_sum',
  oldId: null,
  title: 'Kernel Class Summary',
  options: [],
  details: () => [],
  about: 'CUDA kernel data',
  columns: [...durationColumns(kernelTitles), textColumn('Class', 'what the kernel does, as its name tells')],
  rows(input) {
    const {slices, gpuOperations, strings} = input.trace;
    const classes = new TextGroups();
    const classOf = classes.byNumber(strings.length, name => kernelClass(strings.get(name)));
    const groupOf = kernelGroups(input, operation => classOf(slices.name[gpuOperations.slice[operation]]));
    return summaryRows(operationDurations(input), {groupOf, length: classes.texts.length}, group => [
      classes.texts[group],
    ]);
  },
};
