import {assumedThreadNotes} from '../../core/attribution/assumed-threads.js';
import {TraceBuilder, type DraftTrace, type ExpectedRows} from '../../core/trace/trace-builder.js';
import {gpuOperationKinds, kindIndex, type SliceKind} from '../../core/trace/slices.js';
import type {MemoryLimit} from '../../core/trace/memory-limit.js';
import type {Trace, TraceNote} from '../../core/trace/trace.js';
import type {ChromeTraceOutcome, ChromeTraceSink} from './chrome-trace-sink.js';
import type {EventBatch} from './event-batch.js';
import {EventClock} from './event-clock.js';
import {EventRows, type RowContext, type RowCounts} from './event-rows.js';
import {FastEventRows} from './fast-event-rows.js';
import {FlowEnds} from './flow-ends.js';
import {KinetoMetadata} from './kineto-metadata.js';
import {withJoinedProcesses} from './joined-processes.js';
import {kinetoNotes, noDurationNotes} from './kineto-notes.js';
import {KinetoTexts} from './kineto-texts.js';
import {KinetoTracks} from './kineto-tracks.js';
import {Enough} from '../reading/byte-stream.js';
import {OpenBegins} from './open-begins.js';
import {parseEvent} from '../reading/parse-event.js';
import {isPoint, PointEvents} from './point-events.js';
import {absent, phase} from './scanned-event.js';
import {usualStartUs} from './usual-start.js';

/** Overhead of a text besides its characters, in bytes. */
const bytesPerText = 64;
const bytesPerOtherEvent = 48;

/** Turns the events of a Chrome trace into a `Trace`. */
export class KinetoTraceBuilder implements ChromeTraceSink {
  readonly #builder: TraceBuilder;
  readonly #metadata = new KinetoMetadata();
  readonly #texts: KinetoTexts;
  readonly #tracks: KinetoTracks;
  readonly #flows = new FlowEnds();
  readonly #begins: OpenBegins;
  readonly #points: PointEvents;
  readonly #clock = new EventClock();
  readonly #rows: EventRows;
  /** Null until the clock has its base, and if rows are made one by one. */
  #fastRows: FastEventRows | null = null;
  #textBytes = 0;
  #eventCount = 0;
  readonly #notShown = new Map<string, number>();

  /**
   * `isPlain` makes rows one event at a time: same result, but slower for many. Beyond `memoryLimit`, `events` throws
   * `Enough`, and the trace can be finished with what came before.
   */
  constructor(
    expected: ExpectedRows = {},
    private readonly isPlain = false,
    private readonly memoryLimit?: MemoryLimit,
  ) {
    this.#builder = new TraceBuilder(expected);
    this.#texts = new KinetoTexts(this.#builder.strings);
    this.#tracks = new KinetoTracks(this.#builder, id => this.#texts.text(id));
    this.#points = new PointEvents(this.#builder, this.#tracks);
    this.#begins = new OpenBegins(this.#builder);
    this.#rows = new EventRows(this.#context);
  }

  get #context(): RowContext {
    return {
      builder: this.#builder,
      texts: this.#texts,
      tracks: this.#tracks,
      flows: this.#flows,
      begins: this.#begins,
      clock: this.#clock,
    };
  }

  /** Whether there is nothing to show. */
  get isEmpty(): boolean {
    return this.#builder.sliceCount === 0 && this.#builder.points.count === 0;
  }

  /** The trace read so far. */
  get draft(): DraftTrace {
    const {devices, rank} = this.#metadata.facts;
    return {...this.#builder.draft, devices, meta: {rank}};
  }

  /** Number of slices without a valid time. */
  get untimedCount(): number {
    return this.#sum(({untimed}) => untimed);
  }

  text(number: number, text: string): void {
    this.#textBytes += text.length + bytesPerText;
    this.#texts.add(number, text);
  }

  metadata(key: string, json: string): void {
    this.#metadata.add(key, json);
  }

  events(batch: EventBatch): void {
    if (this.#eventCount > 0 && this.#heldBytes > (this.memoryLimit?.bytes ?? Infinity)) throw new Enough();
    if (Number.isNaN(this.#clock.baseUs)) this.#begun(batch);
    const rows = this.#fastRows ?? this.#rows;
    for (let row = rows.add(batch, 0); row < batch.length; row = rows.add(batch, row + 1)) this.#other(batch, row);
    this.#fastRows?.flush();
    this.#eventCount += batch.length;
  }

  /** Events without a row still take memory: the beginning of a slice, or a pair that waits for its other half. */
  get #heldBytes(): number {
    const rest = Math.max(0, this.#eventCount - this.#builder.sliceCount - this.#builder.points.count);
    return this.#builder.heldBytes + this.#textBytes + 2 * this.#flows.rowBytes + rest * bytesPerOtherEvent;
  }

  #begun(batch: EventBatch): void {
    this.#clock.baseUs = usualStartUs(batch);
    if (!this.isPlain && !Number.isNaN(this.#clock.baseUs)) this.#fastRows = FastEventRows.create(this.#context);
  }

  finish(outcome: ChromeTraceOutcome, loss: TraceNote | null): Trace {
    const {facts} = this.#metadata;
    for (const device of facts.devices)
      if (this.#tracks.devices.has(device.id)) this.#builder.device(device.id, device.name);
    if (this.#tracks.devices.size === 0)
      for (const device of facts.devices) this.#builder.device(device.id, device.name);
    for (const limits of facts.smLimits) this.#builder.smLimits(limits);
    this.#begins.finish();
    this.#points.finish();
    this.#tracks.finish();
    this.#flows.finish(this.#builder, (pid, tid) => this.#tracks.threadTrack(pid, tid));
    const isKineto = this.#texts.isKineto || facts.isKineto;
    const trace = this.#builder.finish({
      meta: {
        format: isKineto ? 'kineto' : 'chrome',
        profiler: isKineto ? 'PyTorch profiler' : 'Chrome trace',
        version: facts.version,
        driver: facts.driver,
        rank: facts.rank,
        worldSize: facts.worldSize,
        groupSize: facts.groupSize,
        ...(isKineto && {countsFromEpoch: true}),
      },
      baseNs: facts.baseNs + BigInt(Number.isNaN(this.#clock.baseUs) ? 0 : this.#clock.baseUs) * 1000n,
      counts: this.#traceCounts(),
      notes: [
        ...kinetoNotes({
          outcome,
          loss,
          notShown: this.#notShown,
          faults: {
            untimed: this.untimedCount,
            negative: this.#sum(({negative}) => negative),
            unmatchedEnds: this.#begins.unmatchedEnds,
            unended: this.#begins.unended,
          },
          gpuOperations: this.#count(...gpuOperationKinds),
          isKineto,
          accelerator: this.#texts.accelerator,
        }),
        ...this.#tracks.deviceNumbers.notes(),
        ...this.#points.notes(),
      ],
    });
    const notes = [...trace.notes, ...noDurationNotes(trace), ...assumedThreadNotes(trace)];
    return withJoinedProcesses({...trace, notes});
  }

  #other(batch: EventBatch, row: number): void {
    const {phase: phases, pid, tid, name, label} = batch.columns;
    if (phases[row] === phase.metadata) {
      this.#tracks.describe(pid[row], tid[row], this.#texts.text(name[row]), this.#texts.text(label[row]));
    } else this.#point(batch, row);
  }

  /** Adds an event without a duration, which needs more than the columns hold. */
  #point(batch: EventBatch, row: number): void {
    const {columns} = batch;
    const eventPhase = columns.phase[row];
    const args = parseEvent(batch.texts.get(row) ?? '')?.['args'];
    // Asynchronous events may add a slice.
    if (!isPoint(eventPhase)) this.#fastRows?.flush();
    const isTaken = this.#points.add({
      phase: eventPhase,
      name: this.#texts.text(columns.name[row]),
      category: this.#texts.text(columns.category[row]),
      pid: this.#tracks.idText(columns.pid[row]),
      tid: this.#tracks.idText(columns.tid[row]),
      id: columns.id[row] === absent ? '' : this.#tracks.idText(columns.id[row]),
      startNs: this.#clock.startNs(columns, row),
      args: typeof args === 'object' && args !== null ? (args as Record<string, unknown>) : {},
      offset: columns.offset[row],
    });
    if (isTaken) return;
    const letter = String.fromCharCode(eventPhase);
    this.#notShown.set(letter, (this.#notShown.get(letter) ?? 0) + 1);
  }

  /** Sums the counts of both row makers. */
  #sum(count: (counts: RowCounts) => number): number {
    return count(this.#rows) + (this.#fastRows ? count(this.#fastRows) : 0);
  }

  #count(...kinds: SliceKind[]): number {
    return this.#sum(counts => kinds.reduce((sum, kind) => sum + counts.kinds[kindIndex[kind]], 0));
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
      flows: this.#sum(({flows}) => flows),
    };
  }
}
