import {saidNote} from '../trace/trace-note.js';
import {benchmarkRuns, type BenchmarkRun} from '../reports/benchmark-runs.js';
import {textReports} from '../reports/text-reports.js';
import type {Device, Trace, TraceCounts, TraceNote} from '../trace/trace.js';

/** Sums over devices. Idle is span minus busy. */
export interface GpuSummary {
  readonly busyNs: number;
  readonly spanNs: number;
  readonly workNs: number;
  readonly idleNs: number;
}

/** The contents of a trace: the answer of `gpu-lens info`. */
export interface TraceInfo {
  readonly format: string;
  readonly profiler: string;
  readonly version: string | null;
  readonly devices: readonly Device[];
  readonly processes: number;
  readonly spanNs: number;
  /** For a selection, null if only known for the whole file. */
  readonly counts: Readonly<Record<keyof TraceCounts, number | null>>;
  readonly gpu: GpuSummary;
  /** In the editor's language. */
  readonly notes: readonly TraceNote[];
  /** For a text: its tables in order. Absent for all other files. */
  readonly tables?: readonly TableSummary[];
  /** For a text with benchmarks: their results. */
  readonly benchmarks?: readonly BenchmarkRun[];
}

/** A table of a text. `report` is its name for `gpu-lens stats -r`; `line` is its first line, from 1. */
interface TableSummary {
  readonly report: string;
  readonly title: string;
  readonly run: string;
  readonly line: number;
  readonly rows: number;
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
    notes: notes.map(saidNote),
    ...textContents(trace),
  };
}

function textContents({textTables}: Trace): Pick<TraceInfo, 'tables' | 'benchmarks'> {
  if (textTables.length === 0) return {};
  const reports = textReports(textTables);
  const benchmarks = benchmarkRuns(textTables);
  return {
    tables: textTables.map(({title, run, line, rows}, at) => ({
      report: reports[at].name,
      title,
      run,
      line,
      rows: rows.length,
    })),
    ...(benchmarks.length > 0 && {benchmarks}),
  };
}

/** Returns busy, span, work and idle of all devices together; zeros if the trace has no GPU work. */
export function gpuSummary({slices, gpuOperations, devices}: Trace): GpuSummary {
  const indexOf = new Map(devices.map(({id}, index) => [id, index]));
  const firstNs = new Float64Array(devices.length).fill(Infinity);
  const lastNs = new Float64Array(devices.length).fill(-Infinity);
  let workNs = 0;
  let busyNs = 0;
  // Operations come in order of start, so for each device one number is enough: the end of the covered time.
  for (let operation = 0; operation < gpuOperations.length; operation++) {
    const device = indexOf.get(gpuOperations.device[operation]) ?? -1;
    if (device < 0) continue;
    const slice = gpuOperations.slice[operation];
    const startNs = slices.startNs[slice];
    const endNs = startNs + slices.durationNs[slice];
    workNs += slices.durationNs[slice];
    if (startNs < firstNs[device]) firstNs[device] = startNs;
    if (endNs <= lastNs[device]) continue;
    busyNs += endNs - Math.max(startNs, lastNs[device]);
    lastNs[device] = endNs;
  }
  let spanNs = 0;
  for (let device = 0; device < devices.length; device++) {
    if (lastNs[device] >= firstNs[device]) spanNs += lastNs[device] - firstNs[device];
  }
  return {busyNs, spanNs, workNs, idleNs: spanNs - busyNs};
}
