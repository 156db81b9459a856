import {gpuOperationKinds, sliceKinds, type SliceKind} from '../../core/trace/slices.js';
import type {DraftSlice, TraceBuilder} from '../../core/trace/trace-builder.js';
import type {EventBatch} from './event-batch.js';
import {farthestNs, type EventClock} from './event-clock.js';
import type {FlowEnds} from './flow-ends.js';
import type {KinetoTexts} from './kineto-texts.js';
import {isOnGpu, type KinetoTracks} from './kineto-tracks.js';
import type {OpenBegins} from './open-begins.js';
import {absent, isFlow, phase} from './scanned-event.js';

/**
 * Calls and operations of a file are joined by correlation id alone, because Kineto writes one file per process. For
 * other files, `withJoinedProcesses` finds the processes.
 */
const joinProcess = 0;

/** The additional table in which slices of a kind have a row; src/scanner/rows.ts has the same. */
const furtherTable = {none: 0, gpuOperation: 1, apiCall: 2, operator: 3} as const;

/** By the kind's index. */
export const tableOfKind = Uint8Array.from(sliceKinds, tableOf);

function tableOf(kind: SliceKind): number {
  if (gpuOperationKinds.has(kind)) return furtherTable.gpuOperation;
  if (kind === 'cuda_runtime' || kind === 'cuda_driver') return furtherTable.apiCall;
  return kind === 'cpu_op' || kind === 'user_annotation' ? furtherTable.operator : furtherTable.none;
}

/** Where rows go, and how to interpret them. */
export interface RowContext {
  readonly builder: TraceBuilder;
  readonly texts: KinetoTexts;
  readonly tracks: KinetoTracks;
  readonly flows: FlowEnds;
  readonly begins: OpenBegins;
  readonly clock: EventClock;
}

/** Counts of what was read. */
export interface RowCounts {
  /** Slices by the index of their kind. */
  readonly kinds: ArrayLike<number>;
  /** Flow events of any sort. */
  readonly flows: number;
  /** Slices without a valid time, and those with a negative duration. */
  readonly untimed: number;
  readonly negative: number;
}

/**
 * Makes rows from slices and flows, event by event. `FastEventRows` makes the same rows, and is tested against this
 * class.
 */
export class EventRows implements RowCounts {
  readonly kinds = new Float64Array(sliceKinds.length);
  flows = 0;
  untimed = 0;
  negative = 0;

  constructor(private readonly context: RowContext) {}

  /** Adds rows from `row` on. Returns the first event that is neither slice nor flow, else the end. */
  add({columns, length}: EventBatch, row: number): number {
    for (; row < length; row++) {
      const eventPhase = columns.phase[row];
      if (eventPhase === phase.complete) this.#addSlice(columns, row, columns.durationNs[row]);
      else if (eventPhase === phase.begin) this.#begin(columns, row);
      else if (eventPhase === phase.end) this.#end(columns, row);
      else if (isFlow(eventPhase)) this.#addFlow(columns, row, eventPhase === phase.flowStart);
      else break;
    }
    return row;
  }

  #begin(columns: EventBatch['columns'], row: number): void {
    // Its duration is ignored: the end event decides.
    const slice = this.#addSlice(columns, row, 0);
    if (slice >= 0) this.context.begins.begin(this.context.tracks.threadOf(columns, row), slice);
  }

  #end(columns: EventBatch['columns'], row: number): void {
    const {begins, tracks, clock} = this.context;
    begins.end(tracks.threadOf(columns, row), clock.startNs(columns, row));
  }

  /** Returns the slice, or -1 if it has no valid time. */
  #addSlice(columns: EventBatch['columns'], row: number, durationNs: number): DraftSlice {
    const {clock, texts, builder} = this.context;
    const startNs = clock.startNs(columns, row);
    if (Number.isNaN(startNs) || Math.abs(durationNs) > farthestNs) {
      this.untimed++;
      return -1;
    }
    // Newer writers clamp negative durations to 0 themselves.
    if (durationNs < 0) this.negative++;
    const kind = texts.kindOf(columns.category[row], columns.name[row]);
    this.kinds[kind]++;
    const track = this.#trackOf(columns, row, kind);
    const ns = durationNs > 0 ? durationNs : 0;
    const slice = builder.addSliceRow(track, startNs, ns, texts.nameOf(columns.name[row]), kind, columns.offset[row]);
    if (Number.isNaN(durationNs)) builder.assume(slice);
    this.#addDetails(columns, row, slice, tableOfKind[kind]);
    return slice;
  }

  /** Adds a slice's row in an additional table. */
  #addDetails(columns: EventBatch['columns'], row: number, slice: DraftSlice, table: number): void {
    const {builder, tracks} = this.context;
    const {correlation, externalId, sequence} = columns;
    if (table === furtherTable.operator) {
      if (externalId[row] === absent && sequence[row] === absent) return;
      builder.addOperator(slice, externalId[row], sequence[row], columns.forwardThread[row]);
    } else if (table === furtherTable.apiCall) builder.addApiCall(slice, joinProcess, correlation[row]);
    else if (table === furtherTable.gpuOperation) {
      builder.addGpuOperation(slice, {
        process: joinProcess,
        device: tracks.deviceOf(columns, row),
        stream: tracks.streamOf(columns, row),
        correlation: correlation[row],
        externalId: externalId[row],
        bytes: columns.bytes[row],
      });
    }
  }

  #trackOf(columns: EventBatch['columns'], row: number, kind: number): number {
    const {tracks} = this.context;
    if (isOnGpu[kind] === 0) return tracks.trackOf(kind, columns.pid[row], columns.tid[row]);
    return tracks.trackOf(kind, tracks.deviceOf(columns, row), tracks.streamOf(columns, row));
  }

  #addFlow(columns: EventBatch['columns'], row: number, isStart: boolean): void {
    const {clock, texts, flows} = this.context;
    this.flows++;
    // Ids of fwdbwd and ac2g flows collide, so the category is part of the key; only fwdbwd says something new.
    if (!texts.isForwardBackward(columns.category[row]) || columns.id[row] === absent) return;
    const atNs = clock.startNs(columns, row);
    if (!Number.isNaN(atNs)) flows.add(columns.id[row], columns.pid[row], columns.tid[row], atNs, isStart);
  }
}
