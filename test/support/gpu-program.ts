import {kineto} from './kineto-events.js';

/** The next launch of a simulated program; all times are in µs. */
interface Launch {
  /** The kernel's name. */
  readonly name?: string;
  readonly gpu: number;
  /** CPU time of the launching call, which is also the time until the next call. */
  readonly cpu?: number;
  readonly operator?: string;
  /** `gpu_memcpy` instead of a kernel, with its bytes. */
  readonly bytes?: number;
  /** The launching call, if it is not the usual one. */
  readonly call?: string;
  /** An operator's inputs (`Input Dims`, `Input type`), or the message of a collective's kernel. */
  readonly args?: object;
  readonly device?: number;
}

/**
 * Events of a simulated program on one thread and one stream, generated step by step: the CPU launches, and the GPU
 * runs the launched work in order, each kernel as soon as possible.
 */
export class GpuProgram {
  readonly events: object[] = [];
  #cpu = 0;
  /** When each device will have finished its work. */
  readonly #gpuFree = new Map<number, number>();
  #correlation = 0;

  get now(): number {
    return this.#cpu;
  }

  launch({name = 'gemm', gpu, cpu = 5, operator, bytes, call: called, args: said = {}, device = 0}: Launch): this {
    const correlation = ++this.#correlation;
    if (operator !== undefined) {
      this.events.push(kineto.op(operator, this.#cpu, cpu, {'External id': correlation, ...said}));
    }
    const call = {
      cat: 'cuda_runtime',
      ph: 'X',
      pid: 100,
      tid: 100,
      ts: this.#cpu + 1,
      dur: cpu - 2,
      args: {correlation},
    };
    this.events.push({...call, name: called ?? (bytes === undefined ? 'cudaLaunchKernel' : 'cudaMemcpyAsync')});
    const start = Math.max(this.#gpuFree.get(device) ?? 0, this.#cpu + cpu);
    const message = operator === undefined ? said : {};
    const args = {device, stream: 7, correlation, ...(bytes !== undefined && {bytes}), ...message};
    const cat = bytes === undefined ? 'kernel' : 'gpu_memcpy';
    this.events.push({cat, ph: 'X', name, pid: device, tid: 7, ts: start, dur: gpu, args});
    this.#gpuFree.set(device, start + gpu);
    this.#cpu += cpu;
    return this;
  }

  /** Repeats a launch. */
  launches(count: number, launch: Launch): this {
    for (let at = 0; at < count; at++) this.launch(launch);
    return this;
  }

  /** The GPU does nothing for a while, as when a stream waits for another. */
  stall(us: number): this {
    this.#gpuFree.set(0, (this.#gpuFree.get(0) ?? 0) + us);
    return this;
  }

  /** Waits until the GPU has finished all work. */
  synchronise(name = 'cudaStreamSynchronize'): this {
    const end = Math.max(this.#cpu, ...this.#gpuFree.values()) + 2;
    return this.call(name, end - this.#cpu);
  }

  /** A CUDA call of this duration. */
  call(name: string, cpu: number): this {
    const args = {correlation: ++this.#correlation};
    this.events.push({cat: 'cuda_runtime', ph: 'X', name, pid: 100, tid: 100, ts: this.#cpu, dur: cpu, args});
    this.#cpu += cpu;
    return this;
  }

  /** The CPU does something else. */
  python(cpu: number): this {
    this.#cpu += cpu;
    return this;
  }

  /** Puts the work of `inside` into an annotation of this name. */
  range(name: string, inside: (program: this) => void): this {
    const start = this.#cpu;
    inside(this);
    this.events.push(kineto.range(name, start, this.#cpu - start));
    return this;
  }

  /** Puts the work of `inside` into an operator of this name. */
  operator(name: string, inside: (program: this) => void): this {
    const start = this.#cpu;
    inside(this);
    this.events.push(kineto.op(name, start, this.#cpu - start));
    return this;
  }

  /** The profiler works on the thread for this long. */
  overhead(name: string, us: number): this {
    this.events.push({cat: 'overhead', ph: 'X', name, pid: 100, tid: 100, ts: this.#cpu, dur: us});
    return this;
  }

  /** A sample of a counter. */
  counter(name: string, ts: number, value: number): this {
    this.events.push({ph: 'C', name, pid: 0, ts, args: {[name]: value}});
    return this;
  }
}
