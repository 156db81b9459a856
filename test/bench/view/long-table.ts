import {gpuTrace} from '../../../src/core/reports/cuda-traces.js';
import type {Cell, Report} from '../../../src/core/reports/report.js';
import {
  keptRows,
  readReport,
  tablePage,
  type ReadReport,
  type TablePage,
  type TableQuery,
} from '../../../src/core/tabs/table-page.js';
import type {FilteredRows} from '../../../src/core/tabs/table-rows.js';
import {withTimeLimit} from '../../../src/engine/time-limit.js';
import type {TableList} from '../../../src/protocol/profile-messages.js';

const rows = 1_000_000;
const names = [
  'void cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_128x128_32x5_nn_align8>(cutlass::Params)',
  'void at::native::vectorized_elementwise_kernel<4, at::native::GeluCUDAKernelImpl(at::TensorIteratorBase&)>(int)',
  'flash_fwd_kernel',
  'Memcpy DtoD (Device -> Device)',
];

const report: Report = {
  name: 'cuda_gpu_trace',
  title: gpuTrace.title,
  columns: gpuTrace.columns,
  rows: {length: rows, cells: cellsOf},
};

/** Returns a row of `cuda_gpu_trace`, with numbers that differ from row to row. */
function cellsOf(row: number): Cell[] {
  const durationNs = 1000 + ((row * 7919) % 90_000);
  const grid = [1 + (row % 512), 1 + (row % 7), 1];
  const memory = row % 4 === 3 ? [0.262, 12_000.5, 'Device', 'Device'] : [null, null, null, null];
  const launch = [...grid, 128, 1, 1, 32 + (row % 96), 0, 49.152];
  return [
    row * 100_000,
    durationNs,
    row,
    ...launch,
    ...memory,
    'NVIDIA H100 (0)',
    1,
    7,
    names[row % names.length] ?? '',
  ];
}

let read: ReadReport | null = null;
const kept = new Map<string, FilteredRows>();

/** A table with as many rows as a large trace has operations, returned as by the engine. */
export const longTable = {
  list: {
    tabs: [{id: 'trace', title: 'GPU trace', row: 'plain', about: 'GPU operations'}],
    first: 'trace',
    choices: {threads: [], devices: [0], steps: [], stepCount: 0, processes: [], stack: {kinds: [], domains: []}},
  } satisfies TableList,

  page({query, firstRow, count}: {query: TableQuery; firstRow: number; count: number}): TablePage {
    read ??= readReport(report, rows);
    const key = JSON.stringify(query.filter);
    const filtered = kept.get(key) ?? keptRows(read, query.filter, withTimeLimit);
    kept.set(key, filtered);
    return tablePage(read, filtered, firstRow, count);
  },
};
