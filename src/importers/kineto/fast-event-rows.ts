import wasm from './rows.wasm';
import {columnsAt} from '../../core/table/table.js';
import {kindIndex, sliceKinds} from '../../core/trace/slices.js';
import {allocate} from './allocate.js';
import {EventBatch} from './event-batch.js';
import {tableOfKind, type RowContext, type RowCounts} from './event-rows.js';
import {endSchema} from './flow-ends.js';
import {familyOfKind, isOnGpu} from './kineto-tracks.js';
import {absent, isFlow, phase} from './scanned-event.js';

// The tables of src/scanner/rows.ts, wide columns first.
const sliceSchema = {startNs: 'f64', durationNs: 'f64', source: 'f64', name: 'i32', track: 'i32', kind: 'u8'} as const;
const gpuOperationSchema = {
  device: 'f64',
  stream: 'f64',
  correlation: 'f64',
  externalId: 'f64',
  bytes: 'f64',
  slice: 'i32',
} as const;
const apiCallSchema = {correlation: 'f64', slice: 'i32'} as const;
const endlessSchema = {slice: 'i32'} as const;
/** Beginnings have a slice; ends have -1 and a time. */
const edgeSchema = {atNs: 'f64', track: 'i32', slice: 'i32'} as const;
const operatorSchema = {externalId: 'f64', sequence: 'f64', forwardThread: 'f64', slice: 'i32'} as const;

/** The exports of src/scanner/rows.ts. */
interface RowMaker {
  readonly memory: {readonly buffer: ArrayBuffer};
  readonly eventsAt: WebAssembly.Global;
  readonly slicesAt: WebAssembly.Global;
  readonly gpuOperationsAt: WebAssembly.Global;
  readonly apiCallsAt: WebAssembly.Global;
  readonly operatorsAt: WebAssembly.Global;
  readonly flowStartsAt: WebAssembly.Global;
  readonly flowEndsAt: WebAssembly.Global;
  readonly edgesAt: WebAssembly.Global;
  readonly endlessAt: WebAssembly.Global;
  readonly sliceCount: WebAssembly.Global;
  readonly gpuOperationCount: WebAssembly.Global;
  readonly apiCallCount: WebAssembly.Global;
  readonly operatorCount: WebAssembly.Global;
  readonly flowStartCount: WebAssembly.Global;
  readonly flowEndCount: WebAssembly.Global;
  readonly edgeCount: WebAssembly.Global;
  readonly endlessCount: WebAssembly.Global;
  readonly countsAt: WebAssembly.Global;
  readonly untimed: WebAssembly.Global;
  readonly negative: WebAssembly.Global;
  readonly flows: WebAssembly.Global;
  start(capacity: number, baseUs: number, kindOfNone: number): void;
  keepKind(kind: number, family: number, isOnGpu: number, table: number, kindOfModules: number): void;
  keepName(text: number, name: number, isModule: boolean): void;
  keepCategory(text: number, kind: number): void;
  keepFlowCategory(text: number, isRead: boolean): void;
  keepTrack(family: number, pidOrDevice: number, tidOrStream: number, track: number): void;
  makeRows(from: number, to: number, firstSlice: number): number;
  clearRows(): void;
}

let compiled: WebAssembly.Module | undefined;

/**
 * Makes rows from slices and flows in WebAssembly, a batch at a time. V8 would take longer to compile the same loop in
 * JavaScript than to run it.
 */
export class FastEventRows implements RowCounts {
  readonly #maker: RowMaker;
  #views: ReturnType<typeof viewsOf>;

  /** Returns null if the machine has no WebAssembly, or no memory for it. `context.clock` must have its base. */
  static create(context: RowContext): FastEventRows | null {
    try {
      compiled ??= new WebAssembly.Module(wasm);
      return new FastEventRows(compiled, context);
    } catch {
      return null;
    }
  }

  private constructor(
    module: WebAssembly.Module,
    private readonly context: RowContext,
  ) {
    const maker = new WebAssembly.Instance(module).exports as RowMaker;
    maker.start(EventBatch.capacity, context.clock.baseUs, kindIndex.other);
    sliceKinds.forEach((_, kind) => {
      maker.keepKind(kind, familyOfKind[kind], isOnGpu[kind], tableOfKind[kind], context.texts.kindOfModules(kind));
    });
    this.#maker = maker;
    this.#views = viewsOf(maker);
  }

  get kinds(): ArrayLike<number> {
    return new Uint32Array(this.#maker.memory.buffer, this.#maker.countsAt.value, sliceKinds.length);
  }

  get flows(): number {
    return this.#maker.flows.value >>> 0;
  }

  get untimed(): number {
    return this.#maker.untimed.value >>> 0;
  }

  get negative(): number {
    return this.#maker.negative.value >>> 0;
  }

  /**
   * See `EventRows.add`; the builder gets the rows at the next `flush`.
   *
   * @throws RangeError if there is no memory for the meanings of texts
   */
  add(batch: EventBatch, row: number): number {
    const {builder} = this.context;
    const maker = this.#maker;
    if (row === 0) this.#views.copyOf(batch);
    for (;;) {
      row = maker.makeRows(row, batch.length, builder.sliceCount);
      if (row === batch.length || !this.#tell(row)) return row;
    }
  }

  /** Passes the rows to the builder: before anything else adds a slice, and at the end of each batch. */
  flush(): void {
    const maker = this.#maker;
    const {slices, gpuOperations, apiCalls, operators, flowStarts, flowEnds, edges, endless} = this.#views;
    const {builder, flows, begins} = this.context;
    builder.addRows({
      slices: {columns: slices, length: maker.sliceCount.value},
      gpuOperations: {columns: gpuOperations, length: maker.gpuOperationCount.value},
      apiCalls: {columns: apiCalls, length: maker.apiCallCount.value},
      operators: {columns: operators, length: maker.operatorCount.value},
    });
    flows.addRows(flowStarts, maker.flowStartCount.value, true);
    flows.addRows(flowEnds, maker.flowEndCount.value, false);
    for (let edge = 0, end = maker.edgeCount.value; edge < end; edge++) {
      if (edges.slice[edge] >= 0) begins.begin(edges.track[edge], edges.slice[edge]);
      else begins.end(edges.track[edge], edges.atNs[edge]);
    }
    for (let at = 0, end = maker.endlessCount.value; at < end; at++) builder.assume(endless.slice[at]);
    maker.clearRows();
  }

  /** Passes on the meanings that the event at `row` needs; false if it is neither slice nor flow. */
  #tell(row: number): boolean {
    const eventPhase = this.#views.events.columns.phase[row];
    if (eventPhase === phase.complete || eventPhase === phase.begin) this.#tellSlice(row);
    else if (isFlow(eventPhase)) this.#tellFlow(row);
    else if (eventPhase !== phase.end) return false;
    if (eventPhase === phase.begin || eventPhase === phase.end) this.#tellThread(row);
    return true;
  }

  #tellSlice(row: number): void {
    const {texts, tracks} = this.context;
    const {columns} = this.#views.events;
    const [category, name] = [columns.category[row], columns.name[row]];
    const kind = texts.kindOf(category, name);
    const onGpu = isOnGpu[kind] === 1;
    const place = onGpu ? (columns.device[row] = tracks.deviceOf(columns, row)) : columns.pid[row];
    const lane = onGpu ? (columns.stream[row] = tracks.streamOf(columns, row)) : columns.tid[row];
    this.#maker.keepTrack(familyOfKind[kind], place, lane, tracks.trackOf(kind, place, lane));
    if (category !== absent) this.#keep(maker => maker.keepCategory(category, texts.kindOf(category, absent)));
    if (name !== absent) this.#keep(maker => maker.keepName(name, texts.nameOf(name), texts.isModule(name)));
  }

  #tellFlow(row: number): void {
    const category = this.#views.events.columns.category[row];
    const isRead = this.context.texts.isForwardBackward(category);
    this.#keep(maker => maker.keepFlowCategory(category, isRead));
  }

  #tellThread(row: number): void {
    const {columns} = this.#views.events;
    const track = this.context.tracks.threadOf(columns, row);
    this.#maker.keepTrack(familyOfKind[kindIndex.other], columns.pid[row], columns.tid[row], track);
  }

  /** Passes on a text's meaning. If memory grows for it, it moves, and earlier views of it are detached. */
  #keep(tell: (maker: RowMaker) => void): void {
    allocate(() => tell(this.#maker));
    if (this.#views.buffer !== this.#maker.memory.buffer) this.#views = viewsOf(this.#maker);
  }
}

/** The columns in the present memory, valid until it grows. */
function viewsOf(maker: RowMaker) {
  const {buffer} = maker.memory;
  const {capacity, bytes} = EventBatch;
  const eventsAt = maker.eventsAt.value;
  return {
    buffer,
    events: new EventBatch(buffer, eventsAt),
    slices: columnsAt(sliceSchema, capacity, buffer, maker.slicesAt.value),
    gpuOperations: columnsAt(gpuOperationSchema, capacity, buffer, maker.gpuOperationsAt.value),
    apiCalls: columnsAt(apiCallSchema, capacity, buffer, maker.apiCallsAt.value),
    operators: columnsAt(operatorSchema, capacity, buffer, maker.operatorsAt.value),
    flowStarts: columnsAt(endSchema, capacity, buffer, maker.flowStartsAt.value),
    flowEnds: columnsAt(endSchema, capacity, buffer, maker.flowEndsAt.value),
    edges: columnsAt(edgeSchema, capacity, buffer, maker.edgesAt.value),
    endless: columnsAt(endlessSchema, capacity, buffer, maker.endlessAt.value),
    copyOf: (batch: EventBatch) => {
      new Uint8Array(buffer, eventsAt, bytes).set(new Uint8Array(batch.buffer, batch.byteOffset, bytes));
    },
  };
}
