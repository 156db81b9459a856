import {kineto} from './kineto-events.js';

/** What a made program does next: all times in µs. */
interface Launch {
  /** The kernel's name. */
  readonly name?: string;
  readonly gpu: number;
  /** CPU time of the launching call, which is also the time until the next one. */
  readonly cpu?: number;
  readonly operator?: string;
  /** `gpu_memcpy` instead of a kernel, with its bytes. */
  readonly bytes?: number;
  /** The call that starts it, where it is not the usual one. */
  readonly call?: string;
  /** What the operator says of its inputs (`Input Dims`, `Input type`), and the kernel of a collective of its message. */
  readonly args?: object;
  readonly device?: number;
}

/**
 * Events of a program that runs on one thread and one stream, written as it goes: the CPU launches, the GPU runs what was
 * launched in order, each as soon as it can.
 */
export class GpuProgram {
  readonly events: object[] = [];
  #cpu = 0;
  /** When each device has done what it has been given. */
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

  /** The same launch again and again. */
  launches(count: number, launch: Launch): this {
    for (let at = 0; at < count; at++) this.launch(launch);
    return this;
  }

  /** The GPU does nothing for a while before it goes on, as where a stream waits for another. */
  stall(us: number): this {
    this.#gpuFree.set(0, (this.#gpuFree.get(0) ?? 0) + us);
    return this;
  }

  /** Waits until the GPU has done all. */
  synchronise(name = 'cudaStreamSynchronize'): this {
    const end = Math.max(this.#cpu, ...this.#gpuFree.values()) + 2;
    return this.call(name, end - this.#cpu);
  }

  /** A call of CUDA that takes as long as that. */
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

  /** What `inside` does stands in an annotation of this name. */
  range(name: string, inside: (program: this) => void): this {
    const start = this.#cpu;
    inside(this);
    this.events.push(kineto.range(name, start, this.#cpu - start));
    return this;
  }

  /** What `inside` does is an operator of this name. */
  operator(name: string, inside: (program: this) => void): this {
    const start = this.#cpu;
    inside(this);
    this.events.push(kineto.op(name, start, this.#cpu - start));
    return this;
  }

  /** The profiler works on the thread from now on. */
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
