/** One event object of a Chrome trace. */
export interface KinetoEvent {
  readonly name: string;
}

/** Creates events of a Kineto trace as torch writes them, for hand-made traces. */
export const kineto = {
  op: (name: string, ts: number, dur: number, args: object = {}, tid = 100): KinetoEvent =>
    event({
      ph: 'X',
      cat: 'cpu_op',
      name,
      pid: 100,
      tid,
      ts,
      dur,
      args,
    }),
  range: (name: string, ts: number, dur: number, tid = 100): KinetoEvent =>
    event({
      ph: 'X',
      cat: 'user_annotation',
      name,
      pid: 100,
      tid,
      ts,
      dur,
    }),
  python: (name: string, ts: number, dur: number, tid = 100): KinetoEvent =>
    event({
      ph: 'X',
      cat: 'python_function',
      name,
      pid: 100,
      tid,
      ts,
      dur,
      args: {'Python id': 1},
    }),
  call: (correlation: number, ts: number, dur: number, args: object = {}): KinetoEvent =>
    event({
      ph: 'X',
      cat: 'cuda_runtime',
      name: 'cudaLaunchKernel',
      pid: 100,
      tid: 100,
      ts,
      dur,
      args: {cbid: 211, correlation, ...args},
    }),
  kernel: (correlation: number, ts: number, dur: number, args: object = {}): KinetoEvent =>
    event({
      ph: 'X',
      cat: 'kernel',
      name: 'gemm',
      pid: 0,
      tid: 7,
      ts,
      dur,
      args: {device: 0, stream: 7, correlation, ...args},
    }),
};

function event(members: Readonly<Record<string, unknown>> & KinetoEvent): KinetoEvent {
  return members;
}

/** Returns the text of a trace with these events. */
export function kinetoText(events: readonly object[], members: object = {}): string {
  return JSON.stringify({schemaVersion: 1, ...members, traceEvents: events}, null, 1);
}
