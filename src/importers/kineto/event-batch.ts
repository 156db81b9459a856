import {columnsAt, tableBytes, type Columns} from '../../core/table/table.js';
import type {ScannedEvent} from './scanned-event.js';

/**
 * The members of events that GPU Lens reads, one row per event; src/scanner/memory.ts has the same columns in the same
 * order.
 *
 * Texts are numbers that the reader tells its sink with `text`. Ids are the number itself where it is one that a double
 * holds (less `negativeIdShift` below -1), else `-2 - text`; -1 is absent. `offset` is where the event begins in the
 * unpacked file. A time is NaN where the event has none; `startUs` are whole µs, so that it loses nothing.
 */
export const eventSchema = {
  offset: 'f64',
  startUs: 'f64',
  durationNs: 'f64',
  pid: 'f64',
  tid: 'f64',
  id: 'f64',
  correlation: 'f64',
  externalId: 'f64',
  sequence: 'f64',
  forwardThread: 'f64',
  device: 'f64',
  stream: 'f64',
  bytes: 'f64',
  name: 'i32',
  category: 'i32',
  label: 'i32',
  startThousandths: 'i32',
  phase: 'u8',
} as const;

/**
 * About 2 MB of a trace, whose columns take 1 MB: as much as a core's second cache mostly holds. A multiple of 8, so that
 * every column is aligned.
 */
const batchEvents = 1 << 13;

/**
 * Events in the order of the file. Written by the scanners, row by row, then handed on as a whole.
 *
 * The columns lie one behind the other in shared memory, so that another thread can read them where they are.
 */
export class EventBatch {
  static readonly bytes = tableBytes(eventSchema, batchEvents);
  static readonly capacity = batchEvents;
  length = 0;
  /** Row → the event's own text, for events of which more is read than the columns hold. */
  readonly texts = new Map<number, string>();
  readonly columns: Columns<typeof eventSchema>;

  constructor(
    readonly buffer: ArrayBufferLike,
    readonly byteOffset: number,
  ) {
    this.columns = columnsAt(eventSchema, batchEvents, buffer, byteOffset);
  }

  get isFull(): boolean {
    return this.length === batchEvents;
  }

  add(event: ScannedEvent, offset: number): void {
    const row = this.length++;
    const {columns} = this;
    columns.offset[row] = offset;
    columns.startUs[row] = event.hasStart ? event.start.whole : NaN;
    columns.startThousandths[row] = event.start.thousandths;
    columns.durationNs[row] = event.hasDuration ? event.duration.whole * 1000 + event.duration.thousandths : NaN;
    columns.pid[row] = event.pid;
    columns.tid[row] = event.tid;
    columns.id[row] = event.id;
    columns.correlation[row] = event.correlation;
    columns.externalId[row] = event.externalId;
    columns.sequence[row] = event.sequence;
    columns.forwardThread[row] = event.forwardThread;
    columns.device[row] = event.device;
    columns.stream[row] = event.stream;
    columns.bytes[row] = event.bytes;
    columns.name[row] = event.name;
    columns.category[row] = event.category;
    columns.label[row] = event.label;
    columns.phase[row] = event.phase;
  }

  clear(): void {
    this.length = 0;
    this.texts.clear();
  }
}
