import {busyNs} from '../stats/intervals.js';
import {TableBuilder} from '../table/table.js';
import type {Device, Trace, TraceCounts, TraceNote} from '../trace/trace.js';

/** Sums over devices; idle is span minus busy. */
export interface GpuSummary {
  readonly busyNs: number;
  readonly spanNs: number;
  readonly workNs: number;
  readonly idleNs: number;
}

/** What is in a trace: the answer of `gpu-lens info`. */
export interface TraceInfo {
  readonly format: string;
  readonly profiler: string;
  readonly version: string | null;
  readonly devices: readonly Device[];
  readonly processes: number;
  readonly spanNs: number;
  readonly counts: TraceCounts;
  readonly gpu: GpuSummary;
  readonly notes: readonly TraceNote[];
}

/** Summarises a trace; all times in ns. @see docs/metrics.md#info */
export function traceInfo(trace: Trace): TraceInfo {
  const {meta, devices, processes, spanNs, counts, notes} = trace;
  return {
    format: meta.format,
    profiler: meta.profiler,
    version: meta.version,
    devices,
    processes: processes.length,
    spanNs,
    counts,
    gpu: gpuSummary(trace),
    notes,
  };
}

/** Busy, span, work and idle of all devices together; zeros where the trace has no GPU work. */
export function gpuSummary(trace: Trace): GpuSummary {
  const {slices, gpuOperations, devices} = trace;
  const sum = {busyNs: 0, spanNs: 0, workNs: 0, idleNs: 0};
  for (const {id} of devices) {
    const rows = new TableBuilder({startNs: 'f64', durationNs: 'f64'} as const, gpuOperations.length);
    // There is room for all, so the columns are never replaced.
    const {columns} = rows;
    let lastEndNs = -Infinity;
    for (let operation = 0; operation < gpuOperations.length; operation++) {
      if (gpuOperations.device[operation] !== id) continue;
      const slice = gpuOperations.slice[operation];
      const row = rows.add();
      columns.startNs[row] = slices.startNs[slice];
      columns.durationNs[row] = slices.durationNs[slice];
      lastEndNs = Math.max(lastEndNs, slices.startNs[slice] + slices.durationNs[slice]);
      sum.workNs += slices.durationNs[slice];
    }
    if (rows.length === 0) continue;
    const operations = rows.finish();
    sum.busyNs += busyNs(operations);
    sum.spanNs += lastEndNs - operations.startNs[0];
  }
  return {...sum, idleNs: sum.spanNs - sum.busyNs};
}
