import {printedFixed} from '../format/printed-fixed.js';
import {release} from '../table/table.js';
import {groupStatistics, joinStatistics} from '../figures/group-statistics.js';
import {combineGroups, TextGroups} from '../figures/group-index.js';
import {kernelClass} from '../names/kernel-class.js';
import {kernelNameOptions} from '../figures/kernel-names.js';
import {kernelGroups, type NamedGroups} from '../figures/operation-groups.js';
import {gridRowOf, type DetailKind} from '../figures/report-details.js';
import type {ReportInput} from '../figures/report-input.js';
import {hasNoGpuWork} from './empty-traces.js';
import type {ReportColumn, ReportDefinition, ReportRows} from './report.js';
import type {ReportTables} from '../figures/report-tables.js';
import {
  amount,
  durationColumns,
  groupsByTotal,
  numberColumn,
  statisticsRows,
  summaryRows,
  tally,
  textColumn,
  megabytesColumn,
} from './summary.js';

/** Returns the details that the kernel reports' options need from the file. */
export function kernelNameDetails(options: readonly string[]): DetailKind[] {
  const details: DetailKind[] = [];
  if (options.includes('base') || options.includes('mangled')) details.push('operations');
  if (options.includes('nvtx-name')) details.push('ranges');
  return details;
}

const kernelTitles = {of: 'kernels', count: 'Instances'} as const;
const kernelName = textColumn('Name', 'the kernel, demangled; its base or mangled name where that was asked for', {
  role: 'name',
});

/** `cuda_gpu_kern_sum`: kernels by name. @see docs/metrics.md#cuda-gpu-kern-sum */
export const kernelSummary: ReportDefinition = {
  id: 'cuda_gpu_kern_sum',
  oldId: null,
  title: 'CUDA GPU Kernel Summary',
  options: kernelNameOptions,
  details: kernelNameDetails,
  about: 'CUDA kernel data',
  tabs: [
    {
      id: 'kernels',
      title: 'Kernels',
      row: 'kernel',
      after: 'nvtx',
      about: 'CUDA kernels',
      group: 'GPU',
      isEmpty: hasNoGpuWork,
    },
  ],
  columns: [...durationColumns(kernelTitles), kernelName],
  rows: ({tables, options}) => namedRows(tables.kernels(options)),
};

/** `cuda_gpu_kern_gb_sum`: kernels by name, grid and block; `gpukernsum` in nsys up to 2022.4. */
export const kernelGridBlockSummary: ReportDefinition = {
  id: 'cuda_gpu_kern_gb_sum',
  oldId: 'gpukernsum',
  title: 'CUDA GPU Kernel/Grid/Block Summary',
  options: kernelNameOptions,
  details: options => ['grids', ...kernelNameDetails(options)],
  about: 'CUDA kernel data',
  tabs: [
    {
      id: 'kernel-grids',
      title: 'Kernels by grid',
      row: 'kernel',
      after: 'kernels',
      about: 'CUDA kernels',
      isEmpty: hasNoGpuWork,
    },
  ],
  columns: [
    ...durationColumns(kernelTitles),
    textColumn('GridXYZ', 'blocks of the grid in x, y and z'),
    textColumn('BlockXYZ', 'threads of a block in x, y and z'),
    kernelName,
  ],
  rows(input) {
    const {names, groupOf: nameOf} = input.tables.kernels(input.options);
    const {grids: table, gridOf} = input.details;
    const shapes = table ? [table.gridX, table.gridY, table.gridZ, table.blockX, table.blockY, table.blockZ] : [];
    const groups = combineGroups([nameOf, ...(gridOf ? [gridOf] : shapes)]);
    const three = (columns: readonly Int32Array[], row: number) =>
      columns.length === 0 ? 'None' : columns.map(column => String(column[row]).padStart(4)).join(' ');
    const gridRows = groups.firstRow.map(operation => gridRowOf(input.details, operation));
    return summaryRows(input.tables.operationNs, groups, group => {
      const row = gridRows[group];
      return [three(shapes.slice(0, 3), row), three(shapes.slice(3), row), names[nameOf[groups.firstRow[group]]]];
    });
  },
};

const memoryTitles = {of: 'copies and memsets', count: 'Count'} as const;
const memoryOperation = textColumn('Operation', 'direction of the copy, or memset', {role: 'name'});

/** `cuda_gpu_mem_time_sum`: time of copies and memsets by direction. */
export const memoryTimeSummary: ReportDefinition = {
  id: 'cuda_gpu_mem_time_sum',
  oldId: 'gpumemtimesum',
  title: 'CUDA GPU MemOps Summary (by Time)',
  options: [],
  details: () => [],
  about: 'GPU memory data',
  tabs: [
    {
      id: 'memory',
      title: 'Memory operations',
      row: 'operation',
      after: 'api',
      about: 'copies and memsets',
      group: 'GPU',
      isEmpty: hasNoGpuWork,
    },
  ],
  columns: [...durationColumns(memoryTitles), memoryOperation],
  rows: ({tables}) => namedRows(tables.memoryOperations),
};

/** `cuda_gpu_mem_size_sum`: bytes of copies and memsets by direction, in MB of 10^6 bytes. */
export const memorySizeSummary: ReportDefinition = {
  id: 'cuda_gpu_mem_size_sum',
  oldId: 'gpumemsizesum',
  title: 'CUDA GPU MemOps Summary (by Size)',
  options: [],
  details: () => [],
  about: 'GPU memory data',
  tabs: [
    {
      id: 'memory-size',
      title: 'Memory sizes',
      row: 'operation',
      after: 'memory',
      about: 'copies and memsets',
      isEmpty: hasNoGpuWork,
    },
  ],
  columns: [
    megabytesColumn('Total', 'bytes, summed', amount),
    numberColumn('Count', 'number of copies or memsets', tally),
    megabytesColumn('Avg', 'mean of the bytes'),
    megabytesColumn('Med', 'median of the bytes'),
    megabytesColumn('Min', 'least of the bytes'),
    megabytesColumn('Max', 'most of the bytes'),
    megabytesColumn('StdDev', 'sample standard deviation of the bytes'),
    memoryOperation,
  ],
  rows: memorySizeRows,
};

function memorySizeRows({trace, tables}: ReportInput): ReportRows {
  const {groupOf, length, names} = tables.memoryOperations;
  const {bytes} = trace.gpuOperations;
  const knownBytes = new Float64Array(bytes.length).fill(NaN);
  for (let row = 0; row < bytes.length; row++) if (bytes[row] >= 0) knownBytes[row] = bytes[row];
  const statistics = groupStatistics(knownBytes, {groupOf, length});
  release(knownBytes);
  const order = groupsByTotal(statistics, group => [names[group]]);
  return {
    length: order.length,
    cells: row => {
      const group = order[row];
      const {total, count, mean, median, min, max, standardDeviation} = statistics;
      const sizes = [mean, median, min, max, standardDeviation].map(column => inMegabytes(column[group]));
      return [inMegabytes(total[group]), count[group], ...sizes, names[group]];
    },
  };
}

export const categoryColumns: readonly ReportColumn[] = [
  textColumn('Category', 'CUDA_KERNEL, MEMORY_OPER or CUDA_API'),
  textColumn('Operation', 'the kernel, the direction of the copy, or the API call', {role: 'name'}),
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
  rows: ({tables, options}) => categoryRows(operationCategories(tables, options)),
};

/** Groups of one category. Equal names in different categories are different groups. */
export interface Category {
  readonly category: string;
  readonly groups: Pick<NamedGroups, 'names' | 'statistics'>;
}

/** Returns GPU work by name: the rows of `cuda_gpu_sum`, and the rows of `cuda_api_gpu_sum` that are not API calls. */
export function operationCategories(tables: ReportTables, options: readonly string[]): Category[] {
  return [
    {category: 'CUDA_KERNEL', groups: tables.kernels(options)},
    {category: 'MEMORY_OPER', groups: tables.memoryOperations},
  ];
}

/** Returns the groups of several categories as rows of one table: `durationColumns`, then `categoryColumns`. */
export function categoryRows(categories: readonly Category[]): ReportRows {
  const labels = categories.flatMap(({category, groups}) => groups.names.map(name => [category, name]));
  const statistics = joinStatistics(categories.map(({groups}) => groups.statistics));
  return statisticsRows(statistics, group => labels[group]);
}

function namedRows({names, statistics}: NamedGroups): ReportRows {
  return statisticsRows(statistics, group => [names[group]]);
}

/** Converts to MB of 10^6 bytes with three decimals, as nsys prints them; NaN gives null. */
export function inMegabytes(bytes: number): number | null {
  return Number.isNaN(bytes) ? null : Number(printedFixed(bytes / 1e6, 3));
}

/** `kernel_class_sum`: kernels by class, according to their names. */
export const kernelClassSummary: ReportDefinition = {
  id: 'kernel_class_sum',
  oldId: null,
  title: 'Kernel Class Summary',
  options: [],
  details: () => [],
  about: 'CUDA kernel data',
  tabs: [
    {
      id: 'kernel-classes',
      title: 'Kernel classes',
      row: 'plain',
      after: 'kernel-grids',
      about: 'CUDA kernels',
      isEmpty: hasNoGpuWork,
    },
  ],
  columns: [...durationColumns(kernelTitles), textColumn('Class', 'what the kernel does, as its name tells')],
  rows(input) {
    const {slices, gpuOperations, strings} = input.trace;
    const classes = new TextGroups();
    const classOf = classes.byNumber(strings.length, name => kernelClass(strings.get(name)));
    const groupOf = kernelGroups(input, operation => classOf(slices.name[gpuOperations.slice[operation]]));
    return summaryRows(input.tables.operationNs, {groupOf, length: classes.texts.length}, group => [
      classes.texts[group],
    ]);
  },
};
