import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {reportScope} from '../../../src/core/scope/report-scope.js';
import {rangeRows} from '../../../src/core/figures/range-rows.js';
import type {Selection} from '../../../src/core/scope/selection.js';
import {columnHeader, type Report} from '../../../src/core/reports/report.js';
import {reportsText} from '../../../src/core/reports/report-text.js';
import {detailKinds, type ReportDetails} from '../../../src/core/figures/report-details.js';
import {reportDefinitions} from '../../../src/core/reports/reports.js';
import type {Trace} from '../../../src/core/trace/trace.js';
import {loadReportDetails} from '../../../src/importers/report-details.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {reportOfTrace} from '../../support/make-report.js';
import {dataFolder, hasData} from '../../support/real-data.js';

/** Files with the selections that are tried on them. */
const profiles: readonly (readonly [file: string, parts: (trace: Trace) => Selection[]])[] = [
  [
    'kineto/ns-resolution-rank0.json.gz',
    trace => [
      ...everyKind(trace),
      {range: 'DistributedDataParallel.forward'},
      {step: 102},
      {range: '## forward ##', pass: 'forward'},
    ],
  ],
  ['nsys/train-2xh100-2proc.sqlite', trace => [...everyKind(trace), {range: 'aten::mm'}]],
];

/** A window, and each device and stream, or the first of them. */
function everyKind({spanNs, gpuOperations}: Trace): Selection[] {
  const middle = Math.floor(gpuOperations.length / 2);
  return [
    {fromNs: Math.floor(0.4 * spanNs), toNs: Math.floor(0.6 * spanNs)},
    {device: gpuOperations.device[middle] ?? 0},
    {stream: gpuOperations.stream[middle] ?? 0},
  ];
}

/** Columns whose sum tells how much there is: no part has more of it than the whole. */
const amounts = new RegExp(
  `^(${[
    'Total( Proj)? Time|Total|Self CPU|Self CUDA|Busy|Computation|Total Comm|Total Memcpy|Kernel|Allocated',
    'Instances|Total Instances|Num Calls|# of Calls|Count|Launches|Allocations',
  ].join('|')})( \\((ns|B)\\))?$`,
);

/** Sums of columns. Cells are too many for an `expect` each. @throws Error if a number is none */
function sumsOf({columns, rows}: Report): Map<string, number> {
  const sums = new Map<string, number>();
  const headers = columns.map(columnHeader);
  const isAmount = headers.map(header => amounts.test(header));
  for (let row = 0; row < rows.length; row++) {
    rows.cells(row).forEach((cell, at) => {
      const header = headers[at] ?? '';
      if (typeof cell === 'number' && !Number.isFinite(cell))
        throw new Error(`${header} of row ${String(row)} is ${String(cell)}.`);
      if (typeof cell === 'number' && isAmount[at] === true) sums.set(header, (sums.get(header) ?? 0) + cell);
    });
  }
  return sums;
}

async function open(path: string): Promise<{trace: Trace; details: ReportDetails}> {
  const trace = await openTrace(path);
  return {trace, details: await loadReportDetails(path, trace, everyDetail)};
}

const everyDetail = new Set(detailKinds);

describe.skipIf(!hasData).each(profiles)('reports of selections of %s', (file, selectionsOf) => {
  const path = join(dataFolder, file);
  const opened = hasData ? open(path) : null;

  it.each(reportDefinitions.map(({id}) => id))('have numbers, and in no part more than in the whole: %s', async id => {
    const profile = await opened;
    if (!profile) return;
    const {trace, details} = profile;
    const whole = sumsOf(reportOfTrace(trace, id, undefined, details));
    for (const selection of selectionsOf(trace)) {
      const report = reportOfTrace(trace, id, reportScope(trace, selection), details);
      for (const [header, sum] of sumsOf(report)) {
        expect({id, selection, header, isMore: sum > (whole.get(header) ?? 0)}).toMatchObject({isMore: false});
      }
      for (const text of reportsText([report], 'table')) expect(text).not.toMatch(/\bNaN\b|undefined|Infinity/);
    }
  });

  it('agree about the GPU work of a selection', async () => {
    const profile = await opened;
    if (!profile) return;
    const {trace, details} = profile;
    for (const selection of [{}, ...selectionsOf(trace)]) {
      const scope = reportScope(trace, selection);
      const total = (id: string, header: string) =>
        sumsOf(reportOfTrace(trace, id, scope, details)).get(`${header} (ns)`) ?? 0;
      const kernelsNs = total('cuda_gpu_kern_sum', 'Total Time');
      const workNs = total('cuda_gpu_sum', 'Total Time');
      expect(workNs).toBeGreaterThan(0);
      expect([selection, kernelsNs + total('cuda_gpu_mem_time_sum', 'Total Time')]).toEqual([selection, workNs]);
      expect([selection, total('cuda_gpu_kern_gb_sum', 'Total Time')]).toEqual([selection, kernelsNs]);
      expect([selection, total('kernel_class_sum', 'Total Time')]).toEqual([selection, kernelsNs]);
      const busyNs = total('gpu_timeline', 'Busy');
      expect(busyNs).toBeGreaterThan(0);
      expect(busyNs).toBeLessThanOrEqual(workNs);
      // What a range, a step or a window launches is what its rows by range add up to.
      const rows = rangeRows(trace, 'name', {selection});
      const attributedNs = rows.reduce((sum, row) => sum + row.gpuSelfNs + row.backwardGpuSelfNs, 0);
      expect([selection, attributedNs]).toEqual([selection, workNs]);
    }
  });
});
