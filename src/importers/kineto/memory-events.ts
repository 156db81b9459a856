import {getOrAdd} from '../../core/table/get-or-add.js';
import type {TraceBuilder} from '../../core/trace/trace-builder.js';
import type {DeviceNumbers} from '../reading/device-numbers.js';
import type {PointEvent} from './point-event.js';

/** c10::DeviceType: the CPU is 0. */
const cpuType = 0;

/** Changes of a device's memory for which the file has no totals. */
interface Changes {
  readonly counter: number;
  readonly atNs: number[];
  readonly bytes: number[];
}

/**
 * Reads PyTorch's memory events (`profile_memory=True`): instants with the bytes allocated or freed, and per process
 * and device the bytes that its allocator has allocated and reserved.
 *
 * Files before 2022 have no totals, so the changes are summed from the beginning of the recording, which counts as 0.
 */
export class MemoryEvents {
  readonly #changes = new Map<string, Changes>();

  constructor(
    private readonly builder: TraceBuilder,
    private readonly deviceNumbers: DeviceNumbers,
  ) {}

  add({name, startNs, args, offset}: PointEvent, track: number, process: number): void {
    const {points, strings} = this.builder;
    const isFailure = name === '[OutOfMemory]';
    const bytes = numberOf(args['Bytes']);
    const device = this.#deviceOf(args);
    const kind = isFailure ? 'out_of_memory' : 'memory';
    points.addInstant(track, startNs, strings.intern(name), kind, {bytes, device}, offset);
    const sample = (what: string, value: number) => {
      if (!Number.isNaN(value)) {
        points.addSample(points.counter({name: what, unit: 'bytes', process, device}), startNs, value);
      }
    };
    const allocated = numberOf(args['Total Allocated']);
    sample('Memory allocated', allocated);
    // PyTorch's allocator for the CPU reserves nothing: its total is always 0.
    if (device >= 0) sample('Memory reserved', numberOf(args['Total Reserved']));
    if (Number.isNaN(allocated) && !isFailure && !Number.isNaN(bytes)) this.#change(process, device, startNs, bytes);
  }

  finish(): void {
    for (const {counter, atNs, bytes} of this.#changes.values()) {
      const order = Array.from(atNs.keys()).sort((a, b) => (atNs[a] ?? 0) - (atNs[b] ?? 0) || a - b);
      let sum = 0;
      for (const row of order) this.builder.points.addSample(counter, atNs[row] ?? 0, (sum += bytes[row] ?? 0));
    }
  }

  /** Returns the device's number; -1 for the CPU, and if the file has none. */
  #deviceOf(args: Readonly<Record<string, unknown>>): number {
    const id = args['Device Id'];
    const isUnsaid = id === undefined || id === null || id === -1;
    return args['Device Type'] === cpuType || isUnsaid ? -1 : this.deviceNumbers.device(id);
  }

  #change(process: number, device: number, atNs: number, bytes: number): void {
    const changes = getOrAdd(this.#changes, `${String(process)} ${String(device)}`, () => ({
      counter: this.builder.points.counter({
        name: 'Memory allocated since the recording began',
        unit: 'bytes',
        process,
        device,
      }),
      atNs: [],
      bytes: [],
    }));
    changes.atNs.push(atNs);
    changes.bytes.push(bytes);
  }
}

function numberOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : NaN;
}
