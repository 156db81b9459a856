import {kineto, type KinetoEvent} from './kineto-events.js';

/** A call that is captured into a graph: its operator, inside a module, and the kernel that the call names. */
export interface CapturedCall {
  readonly operator: string;
  readonly module?: string;
  /** Absent if the profiler does not report it, as with CUPTI. */
  readonly kernel?: string;
  readonly grid?: readonly number[];
}

const call = (name: string, ts: number, dur: number, args: object = {}): KinetoEvent => {
  const event = {ph: 'X', cat: 'cuda_runtime', name, pid: 100, tid: 100, ts, dur, args};
  return event;
};

/**
 * Returns the events of a run that captures graphs one after the other; each call has an operator and a Python frame.
 */
export function captureEvents(graphs: readonly (readonly CapturedCall[])[]): KinetoEvent[] {
  const events: KinetoEvent[] = [];
  let ts = 1000;
  let id = 1;
  for (const graph of graphs) {
    const beginTs = ts;
    events.push(call('cudaStreamBeginCapture', ts, 2, {correlation: id++}));
    ts += 10;
    for (const {operator, module, kernel, grid} of graph) {
      if (module !== undefined) events.push(kineto.python(`nn.Module: ${module}`, ts, 30));
      events.push(kineto.python(`model.py(${String(10 + id)}): forward`, ts + 1, 28));
      events.push(kineto.op(operator, ts + 2, 25, {'External id': id}));
      const named = kernel === undefined ? {} : {kernel, grid: grid ?? [1, 1, 1], block: [128, 1, 1]};
      events.push(call('cudaLaunchKernel', ts + 5, 3, {correlation: id, 'External id': id++, ...named}));
      ts += 40;
    }
    events.push(call('cudaStreamEndCapture', ts, 2, {correlation: id++}));
    ts += 20;
    events.push(kineto.range('capture all graphs', beginTs - 5, ts - beginTs));
    ts += 20;
  }
  return events;
}

/** An operation of a replay. */
export interface ReplayedKernel {
  readonly name: string;
  readonly dur: number;
  readonly args?: object;
}

/** Returns the events of a run that launches graphs, each inside a range `decode`. */
export function replayEvents(launches: readonly (readonly ReplayedKernel[])[]): KinetoEvent[] {
  const events: KinetoEvent[] = [];
  let ts = 5000;
  launches.forEach((kernels, at) => {
    const correlation = 100 + at;
    events.push(kineto.range('decode', ts, 50));
    events.push(call('cudaGraphLaunch', ts + 5, 20, {correlation}));
    let startTs = ts + 30;
    for (const {name, dur, args} of kernels) {
      events.push({...kineto.kernel(correlation, startTs, dur, args), name});
      startTs += dur + 1;
    }
    ts = startTs + 60;
  });
  return events;
}
