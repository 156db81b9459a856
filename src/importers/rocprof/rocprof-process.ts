import {basename} from 'node:path';
import type {SliceKind} from '../../core/trace/slices.js';
import type {TraceBuilder} from '../../core/trace/trace-builder.js';
import {Agents} from './agents.js';
import {countOf, member, parseObject, textOf, type JsonObject} from './json-object.js';
import {agentPath, markerTextPath, metadataPath, namesPath, recordListOf, sortOfList, symbolPath} from './paths.js';
import type {RecordClock} from './record-clock.js';
import {RecordNames} from './record-names.js';
import {RocprofRecords, type FoundRecord} from './rocprof-records.js';
import {RocprofTracks} from './rocprof-tracks.js';

/** Counts of what was found in a process, and of faults. */
export interface ProcessCounts {
  readonly kinds: Map<SliceKind, number>;
  readonly marks: number;
  readonly untimed: number;
  readonly negative: number;
  readonly malformed: number;
  readonly unnamedKernels: number;
  readonly unknownAgents: number;
}

/** Collects the data of one process, and makes rows of it once all has been read. */
export class RocprofProcess {
  readonly #agents = new Agents();
  readonly #names = new RecordNames();
  readonly #records: RocprofRecords;
  #metadata: JsonObject = {};
  #malformed = 0;

  /** `place` is the position of the process in the file. */
  constructor(
    private readonly place: number,
    clock: RecordClock,
  ) {
    this.#records = new RocprofRecords(clock);
  }

  /** Number of records read. */
  get length(): number {
    return this.#records.length;
  }

  /** The memory held, in bytes. */
  get bytes(): number {
    return this.#agents.bytes + this.#names.bytes + this.#records.bytes;
  }

  /** When the process ended, in the file's own time. */
  get endTime(): unknown {
    return this.#metadata['fini_time'];
  }

  element(path: string, text: string, offset: number): void {
    const object = parseObject(text);
    if (path === namesPath) this.#names.addKind(object);
    else if (!object) this.#malformed++;
    else if (path === metadataPath) this.#metadata = object;
    else if (path === agentPath) this.#agents.add(object);
    else if (path === markerTextPath) this.#names.addMarker(object);
    else if (path === symbolPath) this.#names.addSymbol(object);
    else {
      const sort = sortOfList(recordListOf(path) ?? '');
      if (sort) this.#records.add(sort, object, offset);
    }
  }

  /** Adds the process and its rows to a trace. */
  finish(builder: TraceBuilder): ProcessCounts {
    const kinds = new Map<SliceKind, number>();
    let [marks, unnamedKernels, unknownAgents] = [0, 0, 0];
    const process = this.#addProcess(builder);
    const pid = countOf(this.#metadata['pid']);
    const isByQueue = member(this.#metadata, 'config')['group_by_queue'] === true;
    const tracks = new RocprofTracks(builder, {process, pid, place: this.place, isByQueue});
    for (const record of this.#records.found(this.#agents)) {
      const {sort} = record;
      const name = this.#nameOf(record);
      if (sort === 'kernel' && this.#names.symbol(record.operation) === null) unnamedKernels++;
      if (sort === 'marker' && isMark(this.#operationOf(record))) {
        const track = tracks.thread(record.thread);
        builder.points.addInstant(
          track,
          record.startNs,
          builder.strings.intern(name),
          'nvtx_mark',
          null,
          record.offset,
        );
        marks++;
        continue;
      }
      const kind = this.#kindOf(record);
      if (kind === 'kernel' && record.device === null) unknownAgents++;
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      addRow(builder, tracks, {...record, name, sliceKind: kind, process});
    }
    for (const device of tracks.devices) builder.device(device, this.#agents.nameOf(device));
    const {untimed, negative} = this.#records;
    return {kinds, marks, untimed, negative, malformed: this.#malformed, unnamedKernels, unknownAgents};
  }

  #addProcess(builder: TraceBuilder): number {
    const pid = countOf(this.#metadata['pid']);
    const process = builder.process(`process ${String(this.place)}`, pid < 0 ? String(this.place) : String(pid));
    const command: unknown = this.#metadata['command'];
    const program = Array.isArray(command) ? textOf(command[0]) : null;
    if (program !== null) builder.nameProcess(process, basename(program));
    return process;
  }

  #operationOf({kind, operation}: FoundRecord): string {
    return this.#names.operation(kind, operation) ?? `operation ${String(operation)}`;
  }

  #nameOf(record: FoundRecord): string {
    switch (record.sort) {
      case 'kernel':
        return this.#names.symbol(record.operation)?.name ?? `kernel ${String(record.operation)}`;
      case 'copy':
        return copyName(record);
      case 'marker':
        return this.#names.marker(record.correlation) ?? this.#operationOf(record);
      default:
        return this.#operationOf(record);
    }
  }

  #kindOf(record: FoundRecord): SliceKind {
    switch (record.sort) {
      case 'kernel':
        return 'kernel';
      case 'copy':
        return deviceOfCopy(record) < 0 ? 'other' : 'gpu_memcpy';
      case 'hip':
        return 'cuda_runtime';
      case 'hsa':
        return 'cuda_driver';
      case 'library':
        return 'library_call';
      case 'marker':
        return rangeKind(this.#operationOf(record));
    }
  }
}

/** Returns whether an operation is a mark, such as `roctxMarkA`. */
function isMark(operation: string): boolean {
  return operation.startsWith('roctxMark');
}

/**
 * Returns the kind of a ROCTx operation. Ranges have had two names: `roctxRangePushA`, `roctxRangeStartA`, and since
 * 2025 `roctxThreadRangeA`, `roctxProcessRangeA`. Each has one record, from its beginning to its end. Other ROCTx
 * operations are calls.
 */
function rangeKind(operation: string): SliceKind {
  if (/^roctx(?:RangePush|ThreadRange)/.test(operation)) return 'nvtx_pushpop';
  return /^roctx(?:RangeStart|ProcessRange)/.test(operation) ? 'nvtx_startend' : 'library_call';
}

interface Row extends FoundRecord {
  readonly name: string;
  readonly sliceKind: SliceKind;
  readonly process: number;
}

function addRow(builder: TraceBuilder, tracks: RocprofTracks, row: Row): void {
  const {startNs, durationNs, offset, sliceKind: kind, correlation, process} = row;
  const name = builder.strings.intern(row.name);
  if (kind === 'kernel' || kind === 'gpu_memcpy') {
    const device = kind === 'kernel' ? (row.device ?? 0) : deviceOfCopy(row);
    const {track, stream} = tracks.stream(device, row);
    const slice = builder.addSlice({track, startNs, durationNs, name, kind, source: offset});
    builder.addGpuOperation(slice, {process, device, stream, correlation, bytes: row.bytes});
    return;
  }
  const slice = builder.addSlice({track: tracks.of(kind, row.thread), startNs, durationNs, name, kind, source: offset});
  if (kind === 'cuda_runtime' || kind === 'cuda_driver') builder.addApiCall(slice, process, correlation);
}

/** Returns the GPU on whose row a copy is shown: its destination, else its source; -1 if neither is a GPU. */
function deviceOfCopy({device, source}: FoundRecord): number {
  return device !== null && device >= 0 ? device : (source ?? -1);
}

/** Names copies as Kineto does, which all metrics expect: `Memcpy HtoD`. */
function copyName({device, source}: FoundRecord): string {
  const end = (agent: number | null) => (agent !== null && agent >= 0 ? 'D' : 'H');
  const isBetweenGpus = end(device) === 'D' && end(source) === 'D' && device !== source;
  const memory = {D: 'Device', H: 'Host'} as const;
  const direction = isBetweenGpus ? 'PtoP' : `${end(source)}to${end(device)}`;
  return `Memcpy ${direction} (${memory[end(source)]} -> ${memory[end(device)]})`;
}
