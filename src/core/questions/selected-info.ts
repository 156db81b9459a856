import {insideNs} from '../attribution/chosen.js';
import type {ReportScope} from '../scope/report-scope.js';
import {instantKinds, type InstantKind} from '../trace/instants.js';
import {kindIndex, type SliceKind} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';
import {traceInfo, type GpuSummary, type TraceInfo} from './info.js';
import type {PointCounts} from './point-counts.js';

/**
 * Returns the contents of a part of a trace, like `traceInfo`: operations, slices and instants in scope, with times
 * clipped to the window. Flows belong to the whole file and have no count. Notes on missing data are the whole file's.
 *
 * @see docs/metrics.md#info
 */
export function selectedInfo(trace: Trace, scope: ReportScope): TraceInfo {
  const {gpuOperations, devices} = trace;
  const {counts, processes, firstNs, lastNs} = countEvents(trace, scope);
  const used = new Set(gpuOperations.device.filter((_, operation) => scope.operations?.[operation] !== 0));
  const count = (...kinds: SliceKind[]) => kinds.reduce((sum, kind) => sum + counts[kindIndex[kind]], 0);
  return {
    ...traceInfo(trace),
    devices: devices.filter(({id}) => used.has(id)),
    processes: processes.size,
    spanNs: Math.max(0, lastNs - firstNs),
    counts: {
      kernels: count('kernel'),
      memcpys: count('gpu_memcpy'),
      memsets: count('gpu_memset'),
      apiCalls: count('cuda_runtime', 'cuda_driver'),
      cpuOps: count('cpu_op'),
      ranges: count('user_annotation', 'nvtx_pushpop', 'nvtx_startend'),
      pythonFrames: count('python_function', 'module'),
      flows: null,
    },
    gpu: selectedGpu(trace, scope),
  };
}

interface EventCounts {
  /** By kind of slice. */
  readonly counts: Float64Array;
  readonly processes: ReadonlySet<number>;
  readonly firstNs: number;
  readonly lastNs: number;
}

function countEvents(trace: Trace, scope: ReportScope): EventCounts {
  const {slices, gpuOperations, tracks} = trace;
  const counts = new Float64Array(Object.keys(kindIndex).length);
  const processes = new Set<number>();
  let {firstNs, lastNs} = instantBounds(trace, scope);
  const isOperation = new Uint8Array(slices.length);
  for (const slice of gpuOperations.slice) isOperation[slice] = 1;
  const take = (row: number, process: number) => {
    counts[slices.kind[row]]++;
    if (process >= 0) processes.add(process);
    firstNs = Math.min(firstNs, Math.max(slices.startNs[row], scope.fromNs));
    lastNs = Math.max(lastNs, Math.min(slices.startNs[row] + slices.durationNs[row], scope.toNs));
  };
  for (let row = 0; row < slices.length; row++) {
    const {kind, process} = tracks[slices.track[row]];
    // Other slices on a device, such as annotations projected onto it, are not a thread's work.
    const isIn = scope.slices === null || (scope.slices[row] === 1 && kind === 'thread');
    if (isIn && isOperation[row] === 0) take(row, process);
  }
  for (let operation = 0; operation < gpuOperations.length; operation++) {
    if (scope.operations?.[operation] !== 0) take(gpuOperations.slice[operation], gpuOperations.process[operation]);
  }
  return {counts, processes, firstNs, lastNs};
}

function instantBounds({instants}: Trace, scope: ReportScope): Pick<EventCounts, 'firstNs' | 'lastNs'> {
  let [firstNs, lastNs] = [Infinity, -Infinity];
  for (let row = 0; row < instants.length; row++) {
    if (scope.instants?.[row] === 0) continue;
    firstNs = Math.min(firstNs, instants.atNs[row]);
    lastNs = Math.max(lastNs, instants.atNs[row]);
  }
  return {firstNs, lastNs};
}

/** Returns the instants in scope. Counters belong to the whole machine, and are not counted. */
export function selectedPoints({instants}: Trace, scope: ReportScope): PointCounts {
  const ofKind = new Float64Array(instantKinds.length);
  for (let row = 0; row < instants.length; row++) if (scope.instants?.[row] !== 0) ofKind[instants.kind[row]]++;
  const entries = instantKinds.map((kind, index) => [kind, ofKind[index]]);
  return {counters: 0, samples: 0, instants: Object.fromEntries(entries) as Record<InstantKind, number>};
}

/** Returns sums over devices, for the operations in scope. */
function selectedGpu({slices, gpuOperations, devices}: Trace, scope: ReportScope): GpuSummary {
  const sums = {busyNs: 0, spanNs: 0, workNs: 0};
  for (const {id} of devices) {
    let [firstNs, lastNs] = [Infinity, -Infinity];
    for (let operation = 0; operation < gpuOperations.length; operation++) {
      if (gpuOperations.device[operation] !== id || scope.operations?.[operation] === 0) continue;
      const slice = gpuOperations.slice[operation];
      const startNs = Math.max(slices.startNs[slice], scope.fromNs);
      const durationNs = insideNs(slices.startNs[slice], slices.durationNs[slice], scope);
      sums.workNs += durationNs;
      firstNs = Math.min(firstNs, startNs);
      // Operations come in order of start, so the covered time ends at the latest end so far.
      sums.busyNs += Math.max(0, startNs + durationNs - Math.max(startNs, lastNs));
      lastNs = Math.max(lastNs, startNs + durationNs);
    }
    if (lastNs >= firstNs) sums.spanNs += lastNs - firstNs;
  }
  return {...sums, idleNs: sums.spanNs - sums.busyNs};
}
