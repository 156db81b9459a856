import {TraceBuilder, type DraftSlice} from '../../core/trace/trace-builder.js';
import {gpuOperationKinds, type SliceKind} from '../../core/trace/slices.js';
import type {Trace, TraceNote} from '../../core/trace/trace.js';
import type {ByteInterner} from './byte-interner.js';
import {isKinetoCategory, sliceKindOf} from './categories.js';
import type {ChromeTraceOutcome, ChromeTraceSink} from './chrome-trace-reader.js';
import {absent, phase, type Microseconds, type ScannedEvent} from './scanned-event.js';
import {FlowPairs} from './flow-pairs.js';
import {decodeString} from './json-bytes.js';
import {KinetoMetadata} from './kineto-metadata.js';
import {kinetoNotes} from './kineto-notes.js';
import {KinetoTracks} from './kineto-tracks.js';

/** All calls and operations of a file join by correlation id alone: Kineto writes one file per process. */
const joinProcess = 0;

/** 78 hours: times that lie farther from the others, and longer durations, are not what a profiler measured. */
const farthestNs = 2 ** 48;

/** Turns the events of a Chrome trace into a `Trace`. */
export class KinetoTraceBuilder implements ChromeTraceSink {
  readonly #builder: TraceBuilder;
  readonly #metadata = new KinetoMetadata();
  readonly #flows = new FlowPairs();
  readonly #tracks: KinetoTracks;
  #texts: ByteInterner | null = null;
  /** By text number: the name in the trace's string table, the kind a category makes. */
  readonly #names: (number | undefined)[] = [];
  readonly #kinds: (SliceKind | undefined)[] = [];
  #isKineto = false;
  readonly #counts = new Map<SliceKind, number>();
  readonly #openBegins = new Map<number, DraftSlice[]>();
  readonly #notShown = new Map<string, number>();
  #flowEvents = 0;
  /** Events that no time can be given, negative durations, and ends without a beginning. */
  readonly #faults = {untimed: 0, negative: 0, unmatchedEnds: 0, unended: 0};

  /** `baseUs` is what all times count from, near the first event's so that a double holds every ns; NaN takes that. */
  constructor(
    private baseUs = NaN,
    expectedSlices?: number,
  ) {
    this.#builder = new TraceBuilder(expectedSlices);
    this.#tracks = new KinetoTracks(this.#builder, id => this.#textOf(id));
  }

  get sliceCount(): number {
    return this.#builder.sliceCount;
  }

  /** Slices that no time could be given. */
  get untimedCount(): number {
    return this.#faults.untimed;
  }

  useTexts(texts: ByteInterner): void {
    this.#texts = texts;
  }

  metadata(key: string, json: string): void {
    this.#metadata.add(key, json);
  }

  event(event: ScannedEvent, offset: number): void {
    switch (event.phase) {
      case phase.complete:
        this.#complete(event, offset);
        break;
      case phase.metadata:
        this.#tracks.describe(event, this.#textOf(event.name), this.#textOf(event.label));
        break;
      case phase.flowStart:
      case phase.flowEnd:
      case phase.flowStep:
        this.#flow(event);
        break;
      case phase.begin:
        this.#begin(event, offset);
        break;
      case phase.end:
        this.#end(event);
        break;
      default:
        this.#countNotShown(event);
    }
  }

  finish(outcome: ChromeTraceOutcome, loss: TraceNote | null): Trace {
    const {facts} = this.#metadata;
    for (const device of facts.devices)
      if (this.#tracks.devices.has(device.id)) this.#builder.device(device.id, device.name);
    if (this.#tracks.devices.size === 0)
      for (const device of facts.devices) this.#builder.device(device.id, device.name);
    this.#tracks.finish();
    this.#endOpenBegins();
    for (const {forward, backward} of this.#flows.pairs()) this.#builder.addForwardBackward(forward, backward);
    const isKineto = this.#isKineto || facts.isKineto;
    return this.#builder.finish({
      meta: {
        format: isKineto ? 'kineto' : 'chrome',
        profiler: isKineto ? 'PyTorch profiler' : 'Chrome trace',
        version: facts.version,
        rank: facts.rank,
        worldSize: facts.worldSize,
      },
      baseNs: facts.baseNs + BigInt(Number.isNaN(this.baseUs) ? 0 : this.baseUs) * 1000n,
      counts: this.#traceCounts(),
      notes: kinetoNotes({
        outcome,
        loss,
        notShown: this.#notShown,
        faults: this.#faults,
        gpuOperations: this.#count(...gpuOperationKinds),
        isKineto,
      }),
    });
  }

  #complete(event: ScannedEvent, offset: number): void {
    const startNs = this.#startNs(event);
    const durationNs = event.hasDuration ? nanoseconds(event.duration) : 0;
    if (Number.isNaN(startNs) || !(Math.abs(durationNs) <= farthestNs)) {
      this.#faults.untimed++;
      return;
    }
    // Newer writers clamp negative durations to 0 themselves.
    if (durationNs < 0) this.#faults.negative++;
    this.#slice(event, startNs, Math.max(0, durationNs), offset);
  }

  #slice(event: ScannedEvent, startNs: number, duration: number, offset: number): DraftSlice {
    const kind = this.#kindOf(event);
    this.#counts.set(kind, this.#count(kind) + 1);
    const isGpu = gpuOperationKinds.has(kind);
    const track = this.#tracks.trackOf(event, kind);
    const slice = this.#builder.addSlice(track, startNs, duration, this.#nameOf(event.name), kind, offset);
    if (isGpu) {
      const {device, stream} = this.#tracks.placeOf(event);
      this.#builder.addGpuOperation(
        slice,
        joinProcess,
        device,
        stream,
        event.correlation,
        event.externalId,
        event.bytes,
      );
    } else if (kind === 'cuda_runtime' || kind === 'cuda_driver') {
      this.#builder.addApiCall(slice, joinProcess, event.correlation);
    } else if (kind === 'cpu_op' || kind === 'user_annotation') {
      this.#operator(event, slice, startNs);
    }
    return slice;
  }

  #operator(event: ScannedEvent, slice: DraftSlice, startNs: number): void {
    if (event.externalId === absent && event.sequence === absent) return;
    this.#builder.addOperator(slice, event.externalId, event.sequence, event.forwardThread);
    if (event.sequence !== absent) this.#flows.addOperator(event.tid, startNs, slice);
  }

  #flow(event: ScannedEvent): void {
    this.#flowEvents++;
    // Ids of fwdbwd and ac2g flows collide, so the category is part of the key; only fwdbwd says something new.
    if (this.#textOf(event.category) !== 'fwdbwd' || event.id === absent) return;
    const atNs = this.#startNs(event);
    if (!Number.isNaN(atNs)) this.#flows.addEnd(event.id, event.tid, atNs, event.phase === phase.flowStart);
  }

  #begin(event: ScannedEvent, offset: number): void {
    const startNs = this.#startNs(event);
    if (Number.isNaN(startNs)) {
      this.#faults.untimed++;
      return;
    }
    const slice = this.#slice(event, startNs, 0, offset);
    const track = this.#tracks.trackOf(event, 'other');
    const open = this.#openBegins.get(track) ?? [];
    open.push(slice);
    this.#openBegins.set(track, open);
  }

  #end(event: ScannedEvent): void {
    const endNs = this.#startNs(event);
    const slice = this.#openBegins.get(this.#tracks.trackOf(event, 'other'))?.pop();
    if (slice === undefined || Number.isNaN(endNs)) this.#faults.unmatchedEnds++;
    else this.#builder.endSlice(slice, endNs);
  }

  #endOpenBegins(): void {
    if (this.#openBegins.size === 0) return;
    const lastNs = this.#builder.lastEndNs();
    for (const open of this.#openBegins.values()) {
      this.#faults.unended += open.length;
      for (const slice of open) this.#builder.endSlice(slice, lastNs);
    }
  }

  #countNotShown(event: ScannedEvent): void {
    const name = this.#textOf(event.name);
    // Kineto marks the edges of its recording window in every trace: they say nothing more.
    if (name === 'Record Window End' || name.startsWith('Iteration Start: ')) return;
    const isInstant = event.phase === phase.instant;
    const key = isInstant ? `instant ${name}` : String.fromCharCode(event.phase);
    this.#notShown.set(key, (this.#notShown.get(key) ?? 0) + 1);
  }

  /**
   * When an event begins, from the base; NaN where it does not say, or is far from all others.
   *
   * Subtracting the base before scaling keeps the result exact: epoch ns do not fit a double.
   */
  #startNs({hasStart, start: {whole, thousandths}}: ScannedEvent): number {
    if (!hasStart) return NaN;
    if (Number.isNaN(this.baseUs) && Number.isSafeInteger(whole)) this.baseUs = whole;
    const ns = (whole - this.baseUs) * 1000 + thousandths;
    return Math.abs(ns) <= farthestNs ? ns : NaN;
  }

  #kindOf(event: ScannedEvent): SliceKind {
    if (event.category === absent) return 'other';
    const kind = (this.#kinds[event.category] ??= this.#classify(event.category));
    return kind === 'python_function' && this.#isModule(event.name) ? 'module' : kind;
  }

  #classify(category: number): SliceKind {
    const text = this.#textOf(category);
    if (isKinetoCategory(text)) this.#isKineto = true;
    return sliceKindOf(text);
  }

  readonly #modules: (boolean | undefined)[] = [];

  /** Calls of an nn.Module replace the frame of its `__call__`. */
  #isModule(name: number): boolean {
    return (this.#modules[name] ??= this.#textOf(name).startsWith('nn.Module: '));
  }

  #nameOf(text: number): number {
    return text === absent ? 0 : (this.#names[text] ??= this.#builder.strings.intern(this.#textOf(text)));
  }

  readonly #decoded: (string | undefined)[] = [];

  #textOf(id: number): string {
    if (id < 0 || !this.#texts) return '';
    return (this.#decoded[id] ??= decodeString(this.#texts.bytes(id)));
  }

  #count(...kinds: SliceKind[]): number {
    return kinds.reduce((sum, kind) => sum + (this.#counts.get(kind) ?? 0), 0);
  }

  #traceCounts(): Trace['counts'] {
    return {
      kernels: this.#count('kernel'),
      memcpys: this.#count('gpu_memcpy'),
      memsets: this.#count('gpu_memset'),
      apiCalls: this.#count('cuda_runtime', 'cuda_driver'),
      cpuOps: this.#count('cpu_op'),
      ranges: this.#count('user_annotation'),
      pythonFrames: this.#count('python_function', 'module'),
      flows: this.#flowEvents,
    };
  }
}

function nanoseconds({whole, thousandths}: Microseconds): number {
  return whole * 1000 + thousandths;
}
