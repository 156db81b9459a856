import {orderByTrackAndStart, sortByStart} from '../table/sort.js';
import {gather, TableBuilder} from '../table/table.js';
import {counterSampleSchema, type Counter, type CounterSampleTable, type CounterUnit} from './counters.js';
import {instantKindIndex, instantSchema, type InstantKind, type InstantTable} from './instants.js';

/** A counter as an importer describes it: counters with the same process, device and name are one. */
export interface CounterSpec {
  readonly name: string;
  readonly unit: CounterUnit | null;
  /** -1 if it belongs to no process. */
  readonly process: number;
  /** -1 if it belongs to no device. */
  readonly device: number;
}

/** A memory event: the bytes allocated, negative if freed, NaN if unknown, and the device. */
export interface MemoryChange {
  readonly bytes: number;
  /** -1 for the host's memory. */
  readonly device: number;
}

/** The parts of a trace that have a time and no duration. */
export interface TracePoints {
  readonly counters: readonly Counter[];
  readonly counterSamples: CounterSampleTable;
  readonly instants: InstantTable;
}

const draftSampleSchema = {counter: 'i32', ...counterSampleSchema} as const;

const bytesPerCounter = 1000;

/** Collects counter samples and instants in any order, for `TraceBuilder`, which defines the origin of times. */
export class PointBuilder {
  readonly #specs: CounterSpec[] = [];
  readonly #counterByKey = new Map<string, number>();
  readonly #samples = new TableBuilder(draftSampleSchema, 64);
  readonly #instants = new TableBuilder(instantSchema, 64);

  /** The number of instants and samples so far. */
  get count(): number {
    return this.#samples.length + this.#instants.length;
  }

  /** The memory of all rows, in bytes, including counters as objects. */
  get rowBytes(): number {
    return this.#samples.rowBytes + this.#instants.rowBytes + this.#specs.length * bytesPerCounter;
  }

  counter(spec: CounterSpec): number {
    const key = `${String(spec.process)}\n${String(spec.device)}\n${spec.name}`;
    let counter = this.#counterByKey.get(key);
    if (counter === undefined) {
      counter = this.#specs.push(spec) - 1;
      this.#counterByKey.set(key, counter);
    }
    return counter;
  }

  /** Adds a sample. Returns false, and adds nothing, if the value is not finite. */
  addSample(counter: number, atNs: number, value: number): boolean {
    if (!Number.isFinite(value)) return false;
    const row = this.#samples.add();
    const {columns} = this.#samples;
    columns.counter[row] = counter;
    columns.atNs[row] = atNs;
    columns.value[row] = value;
    return true;
  }

  /** Adds an instant. `track` is a track of the builder, or -1; `memory` is null unless it is a memory event. */
  addInstant(
    track: number,
    atNs: number,
    name: number,
    kind: InstantKind,
    memory: MemoryChange | null,
    source: number,
  ): void {
    const row = this.#instants.add();
    const {columns} = this.#instants;
    columns.atNs[row] = atNs;
    columns.name[row] = name;
    columns.track[row] = track;
    columns.kind[row] = instantKindIndex[kind];
    columns.bytes[row] = memory?.bytes ?? NaN;
    columns.device[row] = memory?.device ?? -1;
    columns.source[row] = source;
  }

  /** Returns the first and last time, in the importer's own time; Infinity and -Infinity if there are none. */
  extentNs(): {firstNs: number; lastNs: number} {
    let firstNs = Infinity;
    let lastNs = -Infinity;
    for (const table of [this.#samples, this.#instants]) {
      const {atNs} = table.columns;
      for (let row = 0; row < table.length; row++) {
        if (atNs[row] < firstNs) firstNs = atNs[row];
        if (atNs[row] > lastNs) lastNs = atNs[row];
      }
    }
    return {firstNs, lastNs};
  }

  /** Sorts and freezes everything; `rank` is each track's position in the trace. Do not use the builder afterwards. */
  finish(originNs: number, rank: Int32Array): TracePoints {
    return {...this.#finishCounters(originNs), instants: this.#finishInstants(originNs, rank)};
  }

  /** Sorts counters: GPUs by number, then processes, then the rest; within each by first use. */
  #finishCounters(originNs: number): {counters: Counter[]; counterSamples: CounterSampleTable} {
    const specs = this.#specs;
    const place = (id: number) => (id < 0 ? Infinity : id);
    const before = (a: number, b: number) =>
      compare(place(specs[a].device), place(specs[b].device)) ||
      compare(place(specs[a].process), place(specs[b].process)) ||
      a - b;
    const shown = specs.map((_, counter) => counter).sort(before);
    const rank = new Int32Array(specs.length);
    shown.forEach((counter, position) => (rank[counter] = position));
    const draft = this.#samples.finish();
    for (let row = 0; row < draft.length; row++) {
      draft.counter[row] = rank[draft.counter[row]];
      draft.atNs[row] -= originNs;
    }
    const order = orderByTrackAndStart(draft.counter, draft.atNs, draft.length);
    let firstSample = 0;
    const counters = shown.map((spec, counter) => {
      let endSample = firstSample;
      while (endSample < order.length && draft.counter[order[endSample]] === counter) endSample++;
      const cut = {...specs[spec], firstSample, endSample};
      firstSample = endSample;
      return cut;
    });
    return {counters, counterSamples: gather(counterSampleSchema, draft, order)};
  }

  #finishInstants(originNs: number, rank: Int32Array): InstantTable {
    const draft = this.#instants.finish();
    for (let row = 0; row < draft.length; row++) {
      draft.atNs[row] -= originNs;
      if (draft.track[row] >= 0) draft.track[row] = rank[draft.track[row]];
    }
    const order = new Uint32Array(draft.length);
    for (let row = 0; row < order.length; row++) order[row] = row;
    sortByStart(order, draft.atNs);
    return gather(instantSchema, draft, order);
  }
}

function compare(a: number, b: number): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
