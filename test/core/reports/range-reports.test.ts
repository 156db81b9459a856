import {describe, expect, it} from 'vitest';
import {columnHeader, type Cell} from '../../../src/core/reports/report.js';
import {noDetails} from '../../../src/core/figures/report-details.js';
import {wholeTrace} from '../../../src/core/scope/report-scope.js';
import {makeReports, parseReportRequest} from '../../../src/core/reports/reports.js';
import {kindIndex} from '../../../src/core/trace/slices.js';
import type {Trace} from '../../../src/core/trace/trace.js';
import {randomTrace} from '../../support/random-trace.js';

const seeds = Array.from({length: 40}, (_, seed) => seed);

function rowsOf(trace: Trace, name: string): Record<string, Cell>[] {
  const request = parseReportRequest(name);
  if (!request) throw new Error(name);
  const [report] = makeReports([request], {trace, details: noDetails, scope: wholeTrace});
  if (!report) throw new Error(name);
  const headers = report.columns.map(columnHeader);
  return Array.from({length: report.rows.length}, (_, row) =>
    Object.fromEntries(report.rows.cells(row).map((cell, at) => [headers[at] ?? '', cell])),
  );
}

describe('nvtx_gpu_proj_trace', () => {
  it('numbers ranges in the order of the slices table where the file does not', () => {
    let inside = 0;
    for (const seed of seeds) {
      const trace = randomTrace(seed);
      const own = numbersOf({...trace, meta: {...trace.meta, format: 'kineto'}});
      expect(own, `seed ${String(seed)}`).toEqual(numbersOf(withNumberedRanges(trace)));
      inside += own.filter(({ParentId}) => ParentId !== null).length;
    }
    expect(inside).toBeGreaterThan(100);
  });
});

/** Without times: they begin elsewhere in each format. */
function numbersOf(trace: Trace) {
  return rowsOf(trace, 'nvtx_gpu_proj_trace').map(({Name, RangeId, ParentId, RangeStack}) => ({
    Name,
    RangeId,
    ParentId,
    RangeStack,
  }));
}

/** The same trace of a file that itself numbers ranges so: from 1, in the order of the slices table. */
function withNumberedRanges(trace: Trace): Trace {
  const {slices} = trace;
  let number = 0;
  const isRange = (kind: number | undefined) => kind === kindIndex.user_annotation || kind === kindIndex.nvtx_startend;
  const source = Float64Array.from(slices.kind, kind => (isRange(kind) ? ++number : 0));
  return {...trace, slices: {...slices, source}};
}

describe('nvtx_gpu_proj_sum', () => {
  it('sums up the rows of nvtx_gpu_proj_trace, whatever ranges overlap', () => {
    let ranges = 0;
    for (const seed of seeds) {
      const trace = randomTrace(seed);
      const single = rowsOf(trace, 'nvtx_gpu_proj_trace');
      for (const sum of rowsOf(trace, 'nvtx_gpu_proj_sum')) {
        const own = single.filter(row => row['Name'] === sum['Range'] && row['Style'] === sum['Style']);
        const total = (title: string) => own.reduce((all, row) => all + Number(row[title]), 0);
        const mean = (title: string) => Math.round((10 * total(title)) / own.length + 1e-9) / 10;
        expect(sum, `seed ${String(seed)}`).toMatchObject({
          'Total Proj Time (ns)': total('Projected Duration (ns)'),
          'Total Range Time (ns)': total('Orig Duration (ns)'),
          'Range Instances': own.length,
          'Total GPU Ops': total('NumGPUOps'),
          'Avg Range Lvl': mean('Lvl'),
          'Avg Num Child': mean('NumChild'),
        });
        ranges += own.length;
      }
      expect(single.length).toBeGreaterThan(0);
    }
    expect(ranges).toBeGreaterThan(200);
  });
});

describe('nvtx_kern_sum', () => {
  it('has what looking at each range and each call gives', () => {
    // Whether threads are the last tracks or the first ones: what has no call is not what track 0 launched.
    for (const trace of seeds.flatMap(seed => [randomTrace(seed), randomTrace(seed, 0)])) {
      const figures = rowsOf(trace, 'nvtx_kern_sum').map(row => [
        ...[row['NVTX Range'], row['PID'], row['NVTX Inst']],
        ...[row['Kern Inst'], row['Total Time (ns)'], row['Min (ns)'], row['Max (ns)']],
      ]);
      expect(sorted(figures)).toEqual(sorted(naiveRows(trace)));
    }
  });
});

function sorted(rows: readonly unknown[]): string[] {
  return rows.map(row => JSON.stringify(row)).sort();
}

/** Every range beside every pair of a call and a kernel. */
function naiveRows(trace: Trace): Cell[][] {
  const {slices, gpuOperations, apiCalls, tracks, processes, strings} = trace;
  const groups = new Map<string, {name: string | null; track: number; ranges: Set<number>; pairs: number[]}>();
  const add = (name: string | null, track: number, range: number, operation: number) => {
    const key = JSON.stringify([name, track]);
    const group = groups.get(key) ?? {name, track, ranges: new Set(), pairs: []};
    groups.set(key, group);
    if (range >= 0) group.ranges.add(range);
    group.pairs.push(operation);
  };
  const end = (row: number) => (slices.startNs[row] ?? 0) + (slices.durationNs[row] ?? 0);
  const ranges = Array.from({length: slices.length}, (_, row) => row).filter(
    row => slices.kind[row] === kindIndex.user_annotation,
  );
  for (let operation = 0; operation < gpuOperations.length; operation++) {
    const calls = [...apiCalls.slice].filter(
      (_, call) =>
        apiCalls.correlation[call] === gpuOperations.correlation[operation] &&
        apiCalls.process[call] === gpuOperations.process[operation],
    );
    for (const call of calls) {
      const track = slices.track[call] ?? -1;
      const around = ranges.filter(
        row =>
          slices.track[row] === track &&
          (slices.startNs[row] ?? 0) <= (slices.startNs[call] ?? 0) &&
          end(call) <= end(row),
      );
      for (const row of around) add(strings.get(slices.name[row] ?? -1), track, row, operation);
      if (around.length === 0) add(null, track, -1, operation);
    }
    if (calls.length === 0) add(null, -1, -1, operation);
  }
  return [...groups.values()].map(({name, track, ranges, pairs}) => {
    const times = pairs.map(operation => slices.durationNs[gpuOperations.slice[operation] ?? 0] ?? 0);
    const pid = processes[tracks[track]?.process ?? -1]?.pid;
    return [
      ...[name, pid === undefined ? null : Number(pid), ranges.size],
      ...[new Set(pairs).size, times.reduce((sum, ns) => sum + ns, 0), Math.min(...times), Math.max(...times)],
    ];
  });
}
