import {TableBuilder} from '../../core/table/table.js';
import type {Agents} from './agents.js';
import {countOf, idOf, member, type JsonObject} from './json-object.js';
import type {RecordSort} from './paths.js';
import type {RecordClock} from './record-clock.js';
import {kernelOf} from './record-names.js';

const recordSorts = ['kernel', 'copy', 'hip', 'hsa', 'marker', 'library'] as const satisfies RecordSort[];

/**
 * Records of one process in the order of the file: their names, threads and GPUs may come later.
 *
 *     sort    startNs  durationNs  kind  operation  thread  correlation  device  stream  bytes  direction  source
 *     kernel        0        2840    11          8     908            1       0       0     -1         -1  843593
 *     copy       9000         400    10          2     908            2       0      -1    256          1  844102
 *
 * `operation` is the kernel's id in dispatches. -1 is absent. Agents are known when a process ends: until then,
 * `device` and `other` (the source of a copy) are indices into a list of ids.
 */
const recordSchema = {
  sort: 'u8',
  startNs: 'f64',
  durationNs: 'f64',
  kind: 'f64',
  operation: 'f64',
  thread: 'f64',
  correlation: 'f64',
  device: 'i32',
  other: 'i32',
  stream: 'f64',
  queue: 'f64',
  bytes: 'f64',
  source: 'f64',
} as const;

/** A slice and a GPU operation, including the copy made while sorting. */
const bytesPerTraceRow = 160;

/** A record with its resolved agents. */
export interface FoundRecord {
  readonly sort: RecordSort;
  readonly startNs: number;
  readonly durationNs: number;
  readonly kind: number;
  readonly operation: number;
  readonly thread: number;
  readonly correlation: number;
  /** The GPU; -1 for a CPU, null if the file does not describe the agent. For a copy: its destination. */
  readonly device: number | null;
  /** Likewise, the source of a copy. */
  readonly source: number | null;
  readonly stream: number;
  readonly queue: number;
  readonly bytes: number;
  readonly offset: number;
}

/** Collects the records of one process. */
export class RocprofRecords {
  readonly #rows = new TableBuilder(recordSchema, 1024);
  readonly #agentIds: (number | bigint)[] = [];
  readonly #placeOfAgent = new Map<string, number>();
  untimed = 0;
  negative = 0;

  constructor(private readonly clock: RecordClock) {}

  add(sort: RecordSort, record: JsonObject, offset: number): void {
    const startNs = this.clock.since(record['start_timestamp']);
    const endNs = this.clock.since(record['end_timestamp']);
    if (Number.isNaN(startNs) || Number.isNaN(endNs)) {
      this.untimed++;
      return;
    }
    if (endNs < startNs) this.negative++;
    const dispatch = member(record, 'dispatch_info');
    const row = this.#rows.add();
    const {columns} = this.#rows;
    columns.sort[row] = recordSorts.indexOf(sort);
    columns.startNs[row] = startNs;
    columns.durationNs[row] = Math.max(0, endNs - startNs);
    columns.kind[row] = countOf(record['kind']);
    columns.operation[row] = sort === 'kernel' ? Number(kernelOf(record) ?? -1) : countOf(record['operation']);
    columns.thread[row] = countOf(record['thread_id']);
    columns.correlation[row] = countOf(member(record, 'correlation_id')['internal']);
    columns.device[row] = this.#agent(sort === 'kernel' ? dispatch['agent_id'] : record['dst_agent_id']);
    columns.other[row] = this.#agent(record['src_agent_id']);
    columns.stream[row] = countOf(member(record, 'stream_id')['handle']);
    columns.queue[row] = countOf(member(dispatch, 'queue_id')['handle']);
    columns.bytes[row] = countOf(record['bytes']);
    columns.source[row] = offset;
  }

  get length(): number {
    return this.#rows.length;
  }

  /** The memory held, plus the memory that the trace will need for the records, in bytes. */
  get bytes(): number {
    return this.#rows.rowBytes + this.#rows.length * bytesPerTraceRow;
  }

  *found(agents: Agents): Generator<FoundRecord> {
    const {columns} = this.#rows;
    const devices = this.#agentIds.map(id => agents.deviceOf(id));
    for (let row = 0; row < this.#rows.length; row++) {
      yield {
        sort: recordSorts[columns.sort[row]],
        startNs: columns.startNs[row],
        durationNs: columns.durationNs[row],
        kind: columns.kind[row],
        operation: columns.operation[row],
        thread: columns.thread[row],
        correlation: columns.correlation[row],
        device: devices[columns.device[row]] ?? null,
        source: devices[columns.other[row]] ?? null,
        stream: columns.stream[row],
        queue: columns.queue[row],
        bytes: columns.bytes[row],
        offset: columns.source[row],
      };
    }
  }

  #agent(value: unknown): number {
    const id = idOf(value);
    if (id === null) return -1;
    const known = this.#placeOfAgent.get(String(id));
    if (known !== undefined) return known;
    this.#placeOfAgent.set(String(id), this.#agentIds.length);
    return this.#agentIds.push(id) - 1;
  }
}
