import {gpuOperationKinds, type SliceKind} from '../../core/trace/slices.js';
import {TraceBuilder} from '../../core/trace/trace-builder.js';
import type {Trace, TraceNote} from '../../core/trace/trace.js';
import {Enough} from '../reading/byte-stream.js';
import type {ElementSink} from '../reading/json-elements.js';
import {MemoryBudget} from '../reading/memory-budget.js';
import type {ImportOptions} from '../reading/importer.js';
import {actionOf, processPath, recordListOf} from './paths.js';
import {RecordClock} from './record-clock.js';
import {RocprofProcess, type ProcessCounts} from './rocprof-process.js';

/** Number of records between two checks of the memory. */
const recordsPerLook = 4096;

/** Counts over all processes of a file, and the lists of records that are not shown. */
export interface FileCounts extends ProcessCounts {
  readonly notShown: ReadonlyMap<string, number>;
}

/** Takes the elements of a file and builds a trace. */
export class RocprofFile implements ElementSink {
  readonly actionOf = actionOf;
  readonly budget: MemoryBudget;
  readonly #builder = new TraceBuilder();
  readonly #clock = new RecordClock();
  readonly #counts: ProcessCounts[] = [];
  readonly #notShown = new Map<string, number>();
  readonly #ends: unknown[] = [];
  #process: RocprofProcess | null = null;
  #elements = 0;

  constructor({memoryLimit}: ImportOptions) {
    this.budget = new MemoryBudget(this.#builder, memoryLimit);
    this.budget.watch(() => this.#process?.bytes ?? 0);
  }

  /** Number of records read so far. */
  get elements(): number {
    return this.#elements;
  }

  /** Whether there is nothing to show. */
  get isEmpty(): boolean {
    return this.#builder.sliceCount === 0 && this.#builder.points.count === 0;
  }

  /** @throws Enough at the memory limit */
  element(path: string, text: string, offset: number): void {
    this.#process ??= new RocprofProcess(this.#counts.length, this.#clock);
    this.#process.element(path, text, offset);
    if (++this.#elements % recordsPerLook === 0 && this.budget.isSpent()) throw new Enough();
  }

  skipped(path: string): void {
    const list = recordListOf(path);
    if (list !== null) this.#notShown.set(list, (this.#notShown.get(list) ?? 0) + 1);
  }

  left(path: string): void {
    if (path === processPath) this.#finishProcess();
  }

  /** Adds the rows of a process in which the file ended. */
  end(): void {
    this.#finishProcess();
  }

  get counts(): FileCounts {
    const sum = (of: (counts: ProcessCounts) => number) => this.#counts.reduce((total, one) => total + of(one), 0);
    const kinds = new Map<SliceKind, number>();
    for (const one of this.#counts) {
      for (const [kind, count] of one.kinds) kinds.set(kind, (kinds.get(kind) ?? 0) + count);
    }
    return {
      kinds,
      notShown: this.#notShown,
      marks: sum(({marks}) => marks),
      untimed: sum(({untimed}) => untimed),
      negative: sum(({negative}) => negative),
      malformed: sum(({malformed}) => malformed),
      unnamedKernels: sum(({unnamedKernels}) => unnamedKernels),
      unknownAgents: sum(({unknownAgents}) => unknownAgents),
    };
  }

  trace(notes: readonly TraceNote[]): Trace {
    const {kinds} = this.counts;
    const count = (...wanted: SliceKind[]) => wanted.reduce((sum, kind) => sum + (kinds.get(kind) ?? 0), 0);
    const ends = this.#ends.map(end => this.#clock.since(end)).filter(Number.isFinite);
    return this.#builder.finish({
      meta: {format: 'rocprof', profiler: 'rocprofv3', version: null, rank: null, worldSize: null, groupSize: null},
      baseNs: this.#clock.baseNs,
      counts: {
        kernels: count('kernel'),
        memcpys: count('gpu_memcpy'),
        memsets: 0,
        apiCalls: count('cuda_runtime', 'cuda_driver'),
        cpuOps: 0,
        ranges: count('nvtx_pushpop', 'nvtx_startend'),
        pythonFrames: 0,
        flows: 0,
      },
      recordingEndNs: ends.length === 0 ? null : ends.reduce((last, end) => Math.max(last, end)),
      notes,
    });
  }

  get hasGpuWork(): boolean {
    return [...this.counts.kinds.keys()].some(kind => gpuOperationKinds.has(kind));
  }

  #finishProcess(): void {
    if (!this.#process) return;
    this.#ends.push(this.#process.endTime);
    this.#counts.push(this.#process.finish(this.#builder));
    this.#process = null;
  }
}
