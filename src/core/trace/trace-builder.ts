import {StringTable} from '../table/string-table.js';
import {release, takeInOrder, TableBuilder, type Schema} from '../table/table.js';
import {apiCallSchema, gpuOperationSchema, operatorSchema} from './gpu-operations.js';
import {cutTracks, inDisplayOrder, moveFlows, orderBySlice, orderByStart, remap} from './final-order.js';
import {flowBuilder, resolveFlows} from './flows.js';
import {PointBuilder} from './point-builder.js';
import {orderSlices} from './slice-order.js';
import {kindIndex, sliceSchema, type SliceKind} from './slices.js';
import type {SmLimits} from './sm-limits.js';
import type {TextTable} from './text-table.js';
import type {TrackSpec} from './track-spec.js';
import type {Device, Process, Trace, TraceCounts, TraceMeta, TraceNote} from './trace.js';

/** The importer's facts about the file, besides the rows. */
export interface TraceFacts {
  readonly meta: TraceMeta;
  /** The origin of the builder's times, in the file's own time. */
  readonly baseNs: bigint;
  readonly counts: TraceCounts;
  readonly notes: readonly TraceNote[];
  readonly textTables?: readonly TextTable[];
  /** When the recording ended, in the builder's time; null if the file does not say. */
  readonly recordingEndNs?: number | null;
}

/** The number of rows expected in each table: growing copies the rows. Unused memory costs nothing. */
export interface ExpectedRows {
  readonly slices?: number;
  readonly gpuOperations?: number;
  readonly apiCalls?: number;
  readonly operators?: number;
}

/** The first `length` rows of columns named as in the schema; each may be wider or narrower than the schema's. */
interface DraftRows<S extends Schema> {
  readonly columns: Partial<Readonly<Record<keyof S, Float64Array | Int32Array | Uint8Array>>>;
  readonly length: number;
}

const assumedSchema = {slice: 'i32'} as const;

/** Estimated bytes of tracks and processes as objects, with their map entries. */
const bytesPerTrack = 1000;
const bytesPerProcess = 400;
const copiesOfTexts = 3;

/**
 * The builder's content before it is finished, in the importer's own time. Request it again each time: growing replaces
 * columns.
 */
export interface DraftTrace {
  /** The first `length` rows count. */
  readonly slices: DraftSlices & {readonly length: number};
  readonly tracks: readonly TrackSpec[];
  readonly processes: readonly Process[];
  readonly devices: readonly Device[];
  readonly meta: Pick<TraceMeta, 'rank'>;
  readonly strings: StringTable;
}

/** Columns of slices, unsorted. */
type DraftSlices = Pick<
  TableBuilder<typeof sliceSchema>['columns'],
  'track' | 'startNs' | 'durationNs' | 'name' | 'kind'
>;

/** A slice's number from `addSlice`, valid until `finish`. */
export type DraftSlice = number;

/** A slice as an importer describes it: times are the importer's own, `name` is one of the builder's strings. */
export interface NewSlice {
  readonly track: number;
  readonly startNs: number;
  readonly durationNs: number;
  readonly name: number;
  readonly kind: SliceKind;
  /** Its place in the file: an offset, or a row id. */
  readonly source: number;
}

/** A GPU operation, besides its slice; -1 for values that the file lacks. */
export interface NewGpuOperation {
  readonly process: number;
  readonly device: number;
  readonly stream: number;
  readonly correlation?: number;
  readonly externalId?: number;
  readonly bytes?: number;
}

/**
 * Collects the rows of one file in any order, then sorts, nests and freezes them.
 *
 * Times may count from any origin that keeps them whole and below 2^53; `finish` moves the first event to 0, be it a
 * slice, an instant or a sample of a counter.
 */
export class TraceBuilder {
  readonly strings = new StringTable();
  /** Events that have a time and no duration: counters and instants. */
  readonly points = new PointBuilder();
  readonly #slices: TableBuilder<typeof sliceSchema>;
  readonly #gpuOperations: TableBuilder<typeof gpuOperationSchema>;
  readonly #apiCalls: TableBuilder<typeof apiCallSchema>;
  readonly #operators: TableBuilder<typeof operatorSchema>;
  readonly #processes: {pid: string; name: string}[] = [];
  readonly #processById = new Map<string, number>();
  readonly #tracks: TrackSpec[] = [];
  readonly #trackByKey = new Map<string, number>();
  readonly #devices = new Map<number, Device>();
  readonly #smLimits = new Map<number, SmLimits>();
  readonly #domainOfName = new Map<number, string>();
  readonly #forwardBackward = flowBuilder();
  readonly #assumed = new TableBuilder(assumedSchema, 16);
  #lastDevice = NaN;

  constructor({slices = 4096, gpuOperations, apiCalls, operators}: ExpectedRows = {}) {
    this.#slices = new TableBuilder(sliceSchema, slices);
    this.#gpuOperations = new TableBuilder(gpuOperationSchema, gpuOperations);
    this.#apiCalls = new TableBuilder(apiCallSchema, apiCalls);
    this.#operators = new TableBuilder(operatorSchema, operators);
  }

  /**
   * Returns the approximate peak memory of building the trace, in bytes: sorting holds rows twice, and the scanners
   * keep their own copies of texts.
   */
  get heldBytes(): number {
    const rows = [
      this.#slices,
      this.#gpuOperations,
      this.#apiCalls,
      this.#operators,
      this.#forwardBackward,
      this.#assumed,
    ];
    const rowBytes = rows.reduce((sum, table) => sum + table.rowBytes, this.points.rowBytes);
    const objects = this.#tracks.length * bytesPerTrack + this.#processes.length * bytesPerProcess;
    return 2 * rowBytes + copiesOfTexts * this.strings.bytes + objects;
  }

  get sliceCount(): number {
    return this.#slices.length;
  }

  /** Returns the content so far; must not be called once the trace is finished. */
  get draft(): DraftTrace {
    const {columns, length} = this.#slices;
    return {
      slices: {...columns, length},
      tracks: this.#tracks,
      processes: this.#processes,
      devices: [...this.#devices.values()],
      meta: {rank: null},
      strings: this.strings,
    };
  }

  /** Returns the process with an identity: usually its pid, but pids repeat if a recording spans machines. */
  process(id: string, pid = id): number {
    let process = this.#processById.get(id);
    if (process === undefined) {
      process = this.#processes.push({pid, name: ''}) - 1;
      this.#processById.set(id, process);
    }
    return process;
  }

  nameProcess(process: number, name: string): void {
    this.#processes[process].name = name;
  }

  /** Adds a device that has work or that the file describes; the last name that is given is kept. */
  device(id: number, name: string | null = null): void {
    const given = name === '' ? null : name;
    if (!this.#devices.has(id) || given !== null) this.#devices.set(id, {id, name: given});
  }

  /** Sets what an SM of a device holds; it is dropped if the device has no work. */
  smLimits(limits: SmLimits): void {
    this.#smLimits.set(limits.device, limits);
  }

  track(spec: TrackSpec): number {
    const key = `${spec.kind}\n${String(spec.process)}\n${String(spec.device)}\n${spec.id}`;
    let track = this.#trackByKey.get(key);
    if (track === undefined) {
      track = this.#tracks.push(spec) - 1;
      this.#trackByKey.set(key, track);
    }
    return track;
  }

  renameTrack(track: number, name: string, order = this.#tracks[track].order): void {
    this.#tracks[track] = {...this.#tracks[track], name, order};
  }

  /** Returns the string index of an NVTX range's name; ranges of a named domain are called `domain:text`. */
  rangeName(text: string, domain: string): number {
    if (domain === '') return this.strings.intern(text);
    const name = this.strings.intern(`${domain}:${text}`);
    this.#domainOfName.set(name, domain);
    return name;
  }

  addSlice({track, startNs, durationNs, name, kind, source}: NewSlice): DraftSlice {
    return this.addSliceRow(track, startNs, durationNs, name, kindIndex[kind], source);
  }

  /** Does the same with the kind's index, without allocating an object, for loops over millions of rows. */
  addSliceRow(
    track: number,
    startNs: number,
    durationNs: number,
    name: number,
    kind: number,
    source: number,
  ): DraftSlice {
    const row = this.#slices.add();
    const columns = this.#slices.columns;
    columns.track[row] = track;
    columns.startNs[row] = startNs;
    columns.durationNs[row] = durationNs;
    columns.name[row] = name;
    columns.kind[row] = kind;
    columns.source[row] = source;
    return row;
  }

  /**
   * Adds rows of all tables at once. `slice` counts from the first of all slices; the process defaults to 0, and
   * devices must be added with `device`.
   */
  addRows(rows: {
    readonly slices: DraftRows<typeof sliceSchema>;
    readonly gpuOperations: DraftRows<typeof gpuOperationSchema>;
    readonly apiCalls: DraftRows<typeof apiCallSchema>;
    readonly operators: DraftRows<typeof operatorSchema>;
  }): void {
    this.#slices.append(rows.slices.columns, rows.slices.length);
    this.#gpuOperations.append(rows.gpuOperations.columns, rows.gpuOperations.length);
    this.#apiCalls.append(rows.apiCalls.columns, rows.apiCalls.length);
    this.#operators.append(rows.operators.columns, rows.operators.length);
  }

  /** Returns the latest end of all slices so far, in the importer's own time; -Infinity if there are none. */
  lastEndNs(): number {
    const {startNs, durationNs} = this.#slices.columns;
    let last = -Infinity;
    for (let row = 0; row < this.#slices.length; row++) last = Math.max(last, startNs[row] + durationNs[row]);
    return last;
  }

  /** Sets the end of a slice that was added when it began. */
  endSlice(slice: DraftSlice, endNs: number): void {
    const {startNs, durationNs} = this.#slices.columns;
    durationNs[slice] = Math.max(0, endNs - startNs[slice]);
  }

  /** Marks a slice for which something was assumed that the file lacks. */
  assume(slice: DraftSlice): void {
    const row = this.#assumed.add();
    this.#assumed.columns.slice[row] = slice;
  }

  addGpuOperation(
    slice: DraftSlice,
    {process, device, stream, correlation = -1, externalId = -1, bytes = -1}: NewGpuOperation,
  ): void {
    const row = this.#gpuOperations.add();
    const {columns} = this.#gpuOperations;
    columns.slice[row] = slice;
    columns.process[row] = process;
    columns.device[row] = device;
    columns.stream[row] = stream;
    columns.correlation[row] = correlation;
    columns.externalId[row] = externalId;
    columns.bytes[row] = bytes;
    if (device !== this.#lastDevice) this.device((this.#lastDevice = device));
  }

  addApiCall(slice: DraftSlice, process: number, correlation: number): void {
    const row = this.#apiCalls.add();
    const {columns} = this.#apiCalls;
    columns.slice[row] = slice;
    columns.process[row] = process;
    columns.correlation[row] = correlation;
  }

  addOperator(slice: DraftSlice, externalId: number, sequence: number, forwardThread: number): void {
    const row = this.#operators.add();
    const {columns} = this.#operators;
    columns.slice[row] = slice;
    columns.externalId[row] = externalId;
    columns.sequence[row] = sequence;
    columns.forwardThread[row] = forwardThread;
  }

  /** Adds a flow from a forward to a backward operator, each given by track and start. */
  addForwardBackward(fromTrack: number, fromNs: number, toTrack: number, toNs: number): void {
    const row = this.#forwardBackward.add();
    const {columns} = this.#forwardBackward;
    columns.fromTrack[row] = fromTrack;
    columns.fromNs[row] = fromNs;
    columns.toTrack[row] = toTrack;
    columns.toNs[row] = toNs;
  }

  /** Returns the trace of all rows. Do not use the builder afterwards. */
  finish(facts: TraceFacts): Trace {
    const {tracks: specs, rank} = inDisplayOrder(this.#tracks);
    // Finished tables take less memory, which the sort of the slices needs.
    const gpuDrafts = this.#gpuOperations.finish();
    const callDrafts = this.#apiCalls.finish();
    const operatorDrafts = this.#operators.finish();
    const {slices, rowOfDraft, originNs, spanNs} = orderSlices(this.#slices, rank, this.points.extentNs());
    const tracks = cutTracks(specs, slices);
    const {slice: assumed} = this.#assumed.finish();
    for (const slice of [gpuDrafts.slice, callDrafts.slice, operatorDrafts.slice, assumed]) remap(slice, rowOfDraft);
    // Every place is -1 except while a table is being sorted, so the tables share the memory.
    const places = rowOfDraft.fill(-1);
    const operators = takeInOrder(operatorSchema, operatorDrafts, orderBySlice(operatorDrafts.slice, places));
    const apiCalls = takeInOrder(apiCallSchema, callDrafts, orderBySlice(callDrafts.slice, places));
    release(places);
    const startOrder = orderByStart(gpuDrafts.slice, slices.startNs);
    const gpuOperations = takeInOrder(gpuOperationSchema, gpuDrafts, startOrder);
    const flows = this.#forwardBackward.finish();
    moveFlows(flows, rank, originNs);
    const {meta, counts, notes, baseNs, textTables = [], recordingEndNs = null} = facts;
    return {
      meta,
      counts,
      notes,
      textTables,
      originNs: baseNs + BigInt(originNs),
      strings: this.strings,
      domainOfName: this.#domainOfName,
      processes: this.#processes,
      devices: [...this.#devices.values()].sort((a, b) => a.id - b.id),
      smLimits: [...this.#smLimits.values()].filter(({device}) => this.#devices.has(device)),
      tracks,
      slices,
      gpuOperations,
      apiCalls,
      operators,
      forwardBackward: resolveFlows(flows, tracks, slices, operators),
      assumed: assumed.sort(),
      capturedCalls: new Int32Array(0),
      ...this.points.finish(originNs, rank),
      spanNs,
      recordingEndNs: recordingEndNs === null ? null : recordingEndNs - originNs,
    };
  }
}
