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
}

/**
 * Events of a program that runs on one thread and one stream, written as it goes: the CPU launches, the GPU runs what was
 * launched in order, each as soon as it can.
 */
export class GpuProgram {
  readonly events: object[] = [];
  #cpu = 0;
  #gpuFree = 0;
  #correlation = 0;

  get now(): number {
    return this.#cpu;
  }

  launch({name = 'gemm', gpu, cpu = 5, operator, bytes}: Launch): this {
    const correlation = ++this.#correlation;
    if (operator !== undefined) this.events.push(kineto.op(operator, this.#cpu, cpu));
    const call = {
      cat: 'cuda_runtime',
      ph: 'X',
      pid: 100,
      tid: 100,
      ts: this.#cpu + 1,
      dur: cpu - 2,
      args: {correlation},
    };
    this.events.push({...call, name: bytes === undefined ? 'cudaLaunchKernel' : 'cudaMemcpyAsync'});
    const start = Math.max(this.#gpuFree, this.#cpu + cpu);
    const args = {device: 0, stream: 7, correlation, ...(bytes !== undefined && {bytes})};
    const cat = bytes === undefined ? 'kernel' : 'gpu_memcpy';
    this.events.push({cat, ph: 'X', name, pid: 0, tid: 7, ts: start, dur: gpu, args});
    this.#gpuFree = start + gpu;
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
    this.#gpuFree += us;
    return this;
  }

  /** Waits until the GPU has done all. */
  synchronise(name = 'cudaStreamSynchronize'): this {
    const end = Math.max(this.#gpuFree, this.#cpu) + 2;
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
}
