import {columnsAt, tableBytes, type Columns} from '../../core/table/table.js';
import {eventSchema} from './event-schema.js';
import type {ScannedEvent} from './scanned-event.js';

/**
 * About 2 MB of a trace, whose columns take 1 MB: the usual size of a core's L2 cache. A multiple of 8, so that every
 * column is aligned.
 */
const batchEvents = 1 << 13;

/**
 * Events in the order of the file, written row by row by the scanners, then handed on as a whole.
 *
 * The columns are consecutive in shared memory, so that another thread can read them in place.
 */
export class EventBatch {
  static readonly bytes = tableBytes(eventSchema, batchEvents);
  static readonly capacity = batchEvents;
  length = 0;
  /** The text of each row's event, for events that need more than the columns hold. */
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
