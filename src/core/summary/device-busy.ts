import type {TimeWindow} from '../base/time-window.js';
import {coveredNs, unionOf} from '../trace/interval-sets.js';
import type {Trace} from '../trace/trace.js';

/** How long a GPU was busy in the windows of a summary. */
export interface DeviceBusy {
  readonly device: number;
  readonly name: string | null;
  readonly busyNs: number;
}

/** Returns the busy time of each GPU with work inside windows. @see docs/metrics.md#gpu-busy */
export function busyOfDevices(trace: Trace, windows: readonly TimeWindow[]): DeviceBusy[] {
  const {slices, gpuOperations, devices} = trace;
  return devices.flatMap(({id, name}) => {
    const rows = gpuOperations.slice.filter((_, operation) => gpuOperations.device[operation] === id);
    if (rows.length === 0) return [];
    const busy = unionOf({
      length: rows.length,
      startNs: Float64Array.from(rows, row => slices.startNs[row]),
      durationNs: Float64Array.from(rows, row => slices.durationNs[row]),
    });
    const busyNs = windows.reduce((sum, {fromNs, toNs}) => sum + coveredNs(busy, fromNs, toNs), 0);
    return [{device: id, name, busyNs}];
  });
}

/** Returns the GPU with the most work, and the process with most of that; null without GPU work. */
export function busiestDevice({slices, gpuOperations}: Trace): {device: number; process: number} | null {
  const ofDevice = new Map<number, number>();
  for (let operation = 0; operation < gpuOperations.length; operation++) {
    const device = gpuOperations.device[operation];
    ofDevice.set(device, (ofDevice.get(device) ?? 0) + slices.durationNs[gpuOperations.slice[operation]]);
  }
  const device = keyOfMost(ofDevice);
  if (device === null) return null;
  const ofProcess = new Map<number, number>();
  for (let operation = 0; operation < gpuOperations.length; operation++) {
    if (gpuOperations.device[operation] !== device) continue;
    const process = gpuOperations.process[operation];
    ofProcess.set(process, (ofProcess.get(process) ?? 0) + slices.durationNs[gpuOperations.slice[operation]]);
  }
  return {device, process: keyOfMost(ofProcess) ?? -1};
}

/** Returns the key with the largest sum; the least of several. */
function keyOfMost(sums: ReadonlyMap<number, number>): number | null {
  return [...sums].sort(([a, aNs], [b, bNs]) => bNs - aNs || a - b).at(0)?.[0] ?? null;
}
