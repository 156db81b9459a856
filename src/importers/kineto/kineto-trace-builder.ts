import {TraceBuilder, type DraftSlice, type ExpectedRows} from '../../core/trace/trace-builder.js';
import {gpuOperationKinds, kindIndex, sliceKinds, type SliceKind} from '../../core/trace/slices.js';
import type {Trace, TraceNote} from '../../core/trace/trace.js';
import type {ChromeTraceOutcome, ChromeTraceSink} from './chrome-trace-reader.js';
import type {EventBatch} from './event-batch.js';
import {FlowEnds} from './flow-ends.js';
import {KinetoMetadata} from './kineto-metadata.js';
import {kinetoNotes} from './kineto-notes.js';
import {KinetoTexts} from './kineto-texts.js';
import {isOnGpu, KinetoTracks} from './kineto-tracks.js';
import {parseEvent} from './parse-event.js';
import {PointEvents} from './point-events.js';
import {absent, phase} from './scanned-event.js';
import {usualStartUs} from './usual-start.js';

/** All calls and operations of a file join by correlation id alone: Kineto writes one file per process. */
const joinProcess = 0;

/** 78 hours: times that lie farther from the others, and longer durations, are not what a profiler measured. */
const farthestNs = 2 ** 48;

/** Which further table a slice of a kind has a row in. */
const role = {none: 0, gpuOperation: 1, apiCall: 2, operator: 3} as const;
const roleOfKind = Uint8Array.from(sliceKinds, roleOf);

function roleOf(kind: SliceKind): number {
  if (gpuOperationKinds.has(kind)) return role.gpuOperation;
  if (kind === 'cuda_runtime' || kind === 'cuda_driver') return role.apiCall;
  return kind === 'cpu_op' || kind === 'user_annotation' ? role.operator : role.none;
}

/** Turns the events of a Chrome trace into a `Trace`. */
export class KinetoTraceBuilder implements ChromeTraceSink {
  readonly #builder: TraceBuilder;
  readonly #metadata = new KinetoMetadata();
  readonly #texts: KinetoTexts;
  readonly #tracks: KinetoTracks;
  readonly #flows = new FlowEnds();
  readonly #points: PointEvents;
  /** What all times count from, near the first event's so that a double holds every ns. */
  #baseUs = NaN;
  /** Slices by kind. */
  readonly #counts = new Float64Array(sliceKinds.length);
  readonly #openBegins = new Map<number, DraftSlice[]>();
  readonly #notShown = new Map<string, number>();
  #flowEvents = 0;
  /** Events that no time can be given, negative durations, and ends without a beginning. */
  readonly #faults = {untimed: 0, negative: 0, unmatchedEnds: 0, unended: 0};

  constructor(expected: ExpectedRows = {}) {
    this.#builder = new TraceBuilder(expected);
    this.#texts = new KinetoTexts(this.#builder.strings);
    this.#tracks = new KinetoTracks(this.#builder, id => this.#texts.text(id));
    this.#points = new PointEvents(this.#builder, this.#tracks);
  }

  /** Whether there is anything to be shown. */
  get isEmpty(): boolean {
    return this.#builder.sliceCount === 0 && this.#builder.points.count === 0;
  }

  /** Slices that no time could be given. */
  get untimedCount(): number {
    return this.#faults.untimed;
  }

  text(number: number, text: string): void {
    this.#texts.add(number, text);
  }

  metadata(key: string, json: string): void {
    this.#metadata.add(key, json);
  }

  events(batch: EventBatch): void {
    if (Number.isNaN(this.#baseUs)) this.#baseUs = usualStartUs(batch);
    const {length} = batch;
    const phases = batch.columns.phase;
    let from = 0;
    for (let row = 0; row < length; row++) {
      if (phases[row] === phase.complete) continue;
      this.#slices(batch, from, row);
      this.#other(batch, row);
      from = row + 1;
    }
    this.#slices(batch, from, length);
  }

  finish(outcome: ChromeTraceOutcome, loss: TraceNote | null): Trace {
    const {facts} = this.#metadata;
    for (const device of facts.devices)
      if (this.#tracks.devices.has(device.id)) this.#builder.device(device.id, device.name);
    if (this.#tracks.devices.size === 0)
      for (const device of facts.devices) this.#builder.device(device.id, device.name);
    for (const limits of facts.smLimits) this.#builder.smLimits(limits);
    this.#endOpenBegins();
    this.#points.finish();
    this.#tracks.finish();
    this.#flows.finish(this.#builder, (pid, tid) => this.#tracks.threadTrack(pid, tid));
    const isKineto = this.#texts.isKineto || facts.isKineto;
    return this.#builder.finish({
      meta: {
        format: isKineto ? 'kineto' : 'chrome',
        profiler: isKineto ? 'PyTorch profiler' : 'Chrome trace',
        version: facts.version,
        rank: facts.rank,
        worldSize: facts.worldSize,
        groupSize: facts.groupSize,
      },
      baseNs: facts.baseNs + BigInt(Number.isNaN(this.#baseUs) ? 0 : this.#baseUs) * 1000n,
      counts: this.#traceCounts(),
      notes: [
        ...kinetoNotes({
          outcome,
          loss,
          notShown: this.#notShown,
          faults: this.#faults,
          gpuOperations: this.#count(...gpuOperationKinds),
          isKineto,
        }),
        ...this.#points.notes(),
      ],
    });
  }

  #other(batch: EventBatch, row: number): void {
    const {columns} = batch;
    switch (columns.phase[row]) {
      case phase.metadata:
        this.#tracks.describe(
          columns.pid[row],
          columns.tid[row],
          this.#texts.text(columns.name[row]),
          this.#texts.text(columns.label[row]),
        );
        break;
      case phase.flowStart:
      case phase.flowEnd:
      case phase.flowStep:
        this.#flow(batch, row);
        break;
      case phase.begin:
        this.#begin(batch, row);
        break;
      case phase.end:
        this.#end(batch, row);
        break;
      default:
        this.#point(batch, row);
    }
  }

  /** Adds the slices of a run of events. Runs are short, so that V8 compiles this once, and not for a loop besides. */
  #slices(batch: EventBatch, from: number, to: number): void {
    const {columns} = batch;
    const texts = this.#texts;
    for (let row = from; row < to; row++) {
      const startNs = this.#startNs(batch, row);
      // A beginning has none, whatever it says: its end tells.
      const ns = columns.phase[row] === phase.begin ? 0 : columns.durationNs[row];
      if (Number.isNaN(startNs) || Math.abs(ns) > farthestNs) {
        this.#faults.untimed++;
        continue;
      }
      // Newer writers clamp negative durations to 0 themselves.
      if (ns < 0) this.#faults.negative++;
      const kind = texts.kindOf(columns.category[row], columns.name[row]);
      this.#counts[kind]++;
      const track = this.#trackOf(columns, row, kind);
      const name = texts.nameOf(columns.name[row]);
      const slice = this.#builder.addSliceRow(track, startNs, ns > 0 ? ns : 0, name, kind, columns.offset[row]);
      this.#addDetails(columns, row, slice, roleOfKind[kind]);
    }
  }

  /** Adds the row that a slice has in a further table. */
  #addDetails(columns: EventBatch['columns'], row: number, slice: DraftSlice, roleOf: number): void {
    const builder = this.#builder;
    const {correlation, externalId, sequence} = columns;
    if (roleOf === role.operator) {
      if (externalId[row] === absent && sequence[row] === absent) return;
      builder.addOperator(slice, externalId[row], sequence[row], columns.forwardThread[row]);
    } else if (roleOf === role.apiCall) builder.addApiCall(slice, joinProcess, correlation[row]);
    else if (roleOf === role.gpuOperation) {
      builder.addGpuOperation(
        slice,
        joinProcess,
        this.#deviceOf(columns, row),
        this.#streamOf(columns, row),
        correlation[row],
        externalId[row],
        columns.bytes[row],
      );
    }
  }

  #trackOf(columns: EventBatch['columns'], row: number, kind: number): number {
    if (isOnGpu[kind] === 0) return this.#tracks.trackOf(kind, columns.pid[row], columns.tid[row]);
    return this.#tracks.trackOf(kind, this.#deviceOf(columns, row), this.#streamOf(columns, row));
  }

  /** From the arguments, else from pid, which is where Kineto puts it too. */
  #deviceOf({device, pid}: EventBatch['columns'], row: number): number {
    return device[row] === absent ? this.#tracks.numberOf(pid[row]) : device[row];
  }

  #streamOf({stream, tid}: EventBatch['columns'], row: number): number {
    return stream[row] === absent ? this.#tracks.numberOf(tid[row]) : stream[row];
  }

  #flow(batch: EventBatch, row: number): void {
    const {columns} = batch;
    this.#flowEvents++;
    // Ids of fwdbwd and ac2g flows collide, so the category is part of the key; only fwdbwd says something new.
    if (!this.#texts.isForwardBackward(columns.category[row]) || columns.id[row] === absent) return;
    const atNs = this.#startNs(batch, row);
    if (Number.isNaN(atNs)) return;
    const isStart = columns.phase[row] === phase.flowStart;
    this.#flows.add(columns.id[row], columns.pid[row], columns.tid[row], atNs, isStart);
  }

  #begin(batch: EventBatch, row: number): void {
    const slice = this.#builder.sliceCount;
    this.#slices(batch, row, row + 1);
    // One without a usable time has not been added.
    if (this.#builder.sliceCount === slice) return;
    const track = this.#trackOf(batch.columns, row, kindIndex.other);
    const open = this.#openBegins.get(track) ?? [];
    open.push(slice);
    this.#openBegins.set(track, open);
  }

  #end(batch: EventBatch, row: number): void {
    const endNs = this.#startNs(batch, row);
    const slice = this.#openBegins.get(this.#trackOf(batch.columns, row, kindIndex.other))?.pop();
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

  /** Takes an event without a duration, of which more is read than the columns hold. */
  #point(batch: EventBatch, row: number): void {
    const {columns} = batch;
    const eventPhase = columns.phase[row];
    const args = parseEvent(batch.texts.get(row) ?? '')?.['args'];
    const isTaken = this.#points.add({
      phase: eventPhase,
      name: this.#texts.text(columns.name[row]),
      category: this.#texts.text(columns.category[row]),
      pid: this.#tracks.idText(columns.pid[row]),
      tid: this.#tracks.idText(columns.tid[row]),
      id: columns.id[row] === absent ? '' : this.#tracks.idText(columns.id[row]),
      startNs: this.#startNs(batch, row),
      args: typeof args === 'object' && args !== null ? (args as Record<string, unknown>) : {},
      offset: columns.offset[row],
    });
    if (isTaken) return;
    const letter = String.fromCharCode(eventPhase);
    this.#notShown.set(letter, (this.#notShown.get(letter) ?? 0) + 1);
  }

  /**
   * When an event begins, from the base; NaN where it does not say, or is far from all others.
   *
   * Subtracting the base before scaling keeps the result exact: epoch ns do not fit a double.
   */
  #startNs({columns}: EventBatch, row: number): number {
    const ns = (columns.startUs[row] - this.#baseUs) * 1000 + columns.startThousandths[row];
    return Math.abs(ns) <= farthestNs ? ns : NaN;
  }

  #count(...kinds: SliceKind[]): number {
    return kinds.reduce((sum, kind) => sum + this.#counts[kindIndex[kind]], 0);
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
