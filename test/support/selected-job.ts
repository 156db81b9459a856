import {seededRandom} from './random.js';

/** An event of a job of two steps, with data by which a naive rule can distinguish it. */
export interface JobEvent {
  readonly ph: 'X' | 'i';
  readonly cat: string;
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur: number;
  readonly args: Readonly<Record<string, unknown>>;
}

const host = {ph: 'X', pid: 100, tid: 100} as const;
/** Times count from this instant, whichever of the other events are left out. */
export const anchor: JobEvent = {...host, ph: 'i', cat: 'user_annotation', name: 'begin', ts: 0, dur: 0, args: {}};

/**
 * Returns events of three steps on two GPUs with two streams each: kernels, copies, memsets and collectives, launched
 * by operators in ranges that nest and repeat. Times are whole µs.
 */
export function jobEvents(seed: number): JobEvent[] {
  const random = seededRandom(seed);
  const whole = (most: number) => Math.floor(random() * most);
  const events: JobEvent[] = [anchor];
  let correlation = 0;
  let atUs = 10;
  const freeAtUs = new Map<string, number>();

  const inside = (cat: string, name: string, body: () => void, args = {}) => {
    const ts = atUs++;
    body();
    events.push({...host, cat, name, ts, dur: ++atUs - ts, args});
  };
  const launch = (call: string, name: string, cat: string, args: object = {}) => {
    const [device, stream] = [whole(2), 7 + 13 * whole(2)];
    const link = {correlation: ++correlation};
    const callAtUs = atUs;
    events.push({...host, cat: 'cuda_runtime', name: call, ts: callAtUs, dur: 1 + whole(4), args: link});
    atUs += 6;
    const queue = `${String(device)} ${String(stream)}`;
    const ts = Math.max(callAtUs + 2 + whole(30), freeAtUs.get(queue) ?? 0);
    const dur = 1 + whole(40);
    freeAtUs.set(queue, ts + dur);
    const where = {device, stream, context: 1, ...link};
    events.push({ph: 'X', cat, name, pid: device, tid: stream, ts, dur, args: {...where, ...args}});
  };
  const kernel = () => {
    const grid = [1 + whole(2), 1, 1];
    launch('cudaLaunchKernel', `kernel_${String(whole(3))}<float>(int)`, 'kernel', {grid, block: [64, 1, 1]});
  };
  const copy = () => {
    launch('cudaMemcpyAsync', `Memcpy HtoD (Pageable -> Device)`, 'gpu_memcpy', {bytes: 1024 * (1 + whole(4))});
  };
  const layer = (name: string) => {
    inside('user_annotation', name, () => {
      inside('cpu_op', 'aten::mm', kernel);
      if (whole(2) === 0) inside('cpu_op', 'aten::add', kernel);
      if (whole(3) === 0) inside('cpu_op', 'aten::copy_', copy);
      if (whole(3) === 0) launch('cudaMemsetAsync', 'Memset (Device)', 'gpu_memset', {bytes: 64});
    });
  };
  for (let step = 1; step <= 3; step++) {
    inside('user_annotation', `ProfilerStep#${String(step)}`, () => {
      inside('user_annotation', 'forward', () => {
        for (let i = 0; i < 3; i++) layer(`layer_${String(i)}`);
      });
      kernel();
      inside('user_annotation', 'loss', () => {
        layer('layer_0');
        inside('user_annotation', 'nccl:all_reduce', () => {
          const said = {'Collective name': 'allreduce', 'In msg nelems': 64, 'Out msg nelems': 64, dtype: 'Float'};
          launch('cudaLaunchKernel', 'ncclDevKernel_AllReduce_Sum_f32_RING_LL', 'kernel', {...said, 'Group size': 2});
        });
      });
    });
    kernel();
    atUs += whole(50);
  }
  return events;
}
