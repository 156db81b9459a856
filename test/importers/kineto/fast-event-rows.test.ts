import {readFileSync} from 'node:fs';
import {gunzipSync} from 'node:zlib';
import {describe, expect, it} from 'vitest';
import {ChromeTraceReader} from '../../../src/importers/kineto/chrome-trace-reader.js';
import {EventBatch} from '../../../src/importers/kineto/event-batch.js';
import {KinetoTraceBuilder} from '../../../src/importers/kineto/kineto-trace-builder.js';
import {absent, negativeIdShift, phase, type ScannedEvent} from '../../../src/importers/kineto/scanned-event.js';
import {seededRandom} from '../../support/random.js';
import {dataFiles} from '../../support/real-data.js';

const outcome = {events: 0, malformedEvents: 0, isTruncated: false, hasTrailingData: false};

/** What both ways make of the same texts and batches must not differ. */
class BothWays {
  readonly fast = new KinetoTraceBuilder();
  readonly plain = new KinetoTraceBuilder({}, true);

  text(number: number, text: string): void {
    for (const builder of [this.fast, this.plain]) builder.text(number, text);
  }

  metadata(key: string, json: string): void {
    for (const builder of [this.fast, this.plain]) builder.metadata(key, json);
  }

  events(batch: EventBatch): void {
    for (const builder of [this.fast, this.plain]) builder.events(batch);
  }

  /** Compares all that the traces have; returns how many slices that are. */
  compare(): number {
    const [fast, plain] = [this.fast, this.plain].map(builder => builder.finish(outcome, null));
    expect(fast).toEqual(plain);
    return plain?.slices.length ?? 0;
  }
}

function one<T>(random: () => number, of: readonly T[]): T {
  return of[Math.floor(random() * of.length)] as T;
}

it.each(dataFiles('kineto', '.json.gz'))('makes the rows of $name that event by event makes', ({path}) => {
  const both = new BothWays();
  const reader = new ChromeTraceReader(both);
  reader.push(gunzipSync(readFileSync(path)));
  reader.end();
  expect(both.compare()).toBeGreaterThan(0);
});

describe('on events that nobody would write', () => {
  const categories = [
    ...['cpu_op', 'user_annotation', 'gpu_user_annotation', 'python_function', 'kernel', 'gpu_memcpy', 'gpu_memset'],
    ...['cuda_runtime', 'cuda_driver', 'cuda_sync', 'overhead', 'Trace', 'fwdbwd', 'ac2g', 'unheard of', ''],
  ];
  const names = ['aten::mm', 'nn.Module: Linear_0', 'nn.Module: ', 'gemm', 'cudaLaunchKernel', '', '[memory]'];

  /** Draws events at random; texts get their numbers in the order of their use. */
  class Draw {
    readonly both = new BothWays();
    readonly #random: () => number;
    readonly #numbers = new Map<string, number>();

    constructor(
      seed: number,
      private readonly threads: number,
      private readonly nameCount: number,
    ) {
      this.#random = seededRandom(seed);
    }

    /** As many events as a batch holds, then some. */
    batches(count: number): this {
      const batch = new EventBatch(new ArrayBuffer(EventBatch.bytes), 0);
      for (let index = 0; index < count; index++) {
        batch.clear();
        const length = index === 0 ? EventBatch.capacity : 1 + this.#whole(EventBatch.capacity);
        for (let row = 0; row < length; row++) {
          const event = this.#event();
          batch.add(event, 10_000 * index + row);
          if (event.phase === phase.complete) continue;
          batch.texts.set(row, '{"args": {"Device Type": 1, "Bytes": 512, "Total Allocated": 1024, "x": 3}}');
        }
        this.both.events(batch);
      }
      return this;
    }

    #event(): ScannedEvent {
      const start = this.#mostly(0.98, 1e15 + this.#whole(1e6), [0, 2 ** 52, 1e15 - 3e11, -5]);
      const name = this.#mostly(0.5, one(this.#random, names), [`range ${String(this.#whole(this.nameCount))}`]);
      return {
        phase: this.#mostly(0.8, phase.complete, [...Object.values(phase), 0x43, 0x62, 0x65, 0x50, 0]),
        name: this.#mostly(0.98, this.#text(name), [absent]),
        category: this.#mostly(0.98, this.#text(one(this.#random, categories)), [absent]),
        pid: this.#mostly(0.9, 12, [this.#id()]),
        tid: this.#id(),
        start: {whole: start, thousandths: this.#whole(1000)},
        hasStart: this.#random() < 0.98,
        duration: {whole: this.#mostly(0.98, this.#whole(500), [-3, 2 ** 50]), thousandths: this.#whole(1000)},
        hasDuration: this.#random() < 0.98,
        id: this.#number(),
        correlation: this.#number(),
        externalId: this.#number(),
        sequence: this.#number(),
        forwardThread: this.#number(),
        device: this.#mostly(0.5, absent, [0, 1, 7, -2 - this.#text('1'), 2 ** 33]),
        stream: this.#mostly(0.5, absent, [0, 7, 20, 2 ** 33, -9 - negativeIdShift]),
        bytes: this.#number(),
        label: this.#mostly(0.5, absent, [this.#text('main')]),
      };
    }

    #id(): number {
      const texts = [-2 - this.#text('stream 7'), -2 - this.#text('none')];
      return this.#mostly(0.7, this.#whole(this.threads), [absent, ...texts, -7 - negativeIdShift, 2 ** 40, 140_735]);
    }

    #number(): number {
      return this.#mostly(0.8, this.#whole(2000), [absent]);
    }

    #mostly<T>(part: number, usual: T, others: readonly T[]): T {
      return this.#random() < part ? usual : one(this.#random, others);
    }

    #whole(limit: number): number {
      return Math.floor(this.#random() * limit);
    }

    #text(text: string): number {
      const known = this.#numbers.get(text);
      if (known !== undefined) return known;
      const number = 2 * this.#numbers.size + this.#whole(2);
      this.#numbers.set(text, number);
      this.both.text(number, text);
      return number;
    }
  }

  it.each([
    {what: 'a few threads and names', batches: 3, threads: 8, nameCount: 20},
    {what: 'more threads than are remembered', batches: 3, threads: 5000, nameCount: 20},
    {what: 'more names than there was room for', batches: 3, threads: 8, nameCount: 30_000},
  ])('makes the same rows: $what', ({batches, threads, nameCount}) => {
    for (let seed = 1; seed <= 5; seed++) {
      expect(new Draw(seed, threads, nameCount).batches(batches).both.compare()).toBeGreaterThan(1000);
    }
  });
});

it('keeps the order of the file where slices of other sorts stand between', () => {
  const batch = new EventBatch(new ArrayBuffer(EventBatch.bytes), 0);
  const both = new BothWays();
  ['outer', 'inner', 'cpu_op'].forEach((text, number) => both.text(number, text));
  const add = (eventPhase: number, name: number, us: number, durationUs: number) => {
    const ids = {id: absent, correlation: absent, externalId: absent, sequence: absent, forwardThread: absent};
    const places = {pid: 1, tid: 1, device: absent, stream: absent, bytes: absent, label: absent};
    const times = {start: {whole: us, thousandths: 0}, duration: {whole: durationUs, thousandths: 0}};
    const event = {
      phase: eventPhase,
      name,
      category: 2,
      hasStart: true,
      hasDuration: true,
      ...times,
      ...ids,
      ...places,
    };
    batch.add(event, batch.length);
  };
  // Of two with one interval the earlier is the outer one, be it one event or two.
  add(phase.complete, 0, 100, 50);
  add(phase.begin, 1, 100, 0);
  add(phase.end, 1, 150, 0);
  add(phase.begin, 0, 200, 0);
  add(phase.complete, 1, 200, 50);
  add(phase.end, 0, 250, 0);
  both.events(batch);
  const {slices, strings} = both.fast.finish(outcome, null);
  expect(Array.from(slices.name, name => strings.get(name))).toEqual(['outer', 'inner', 'outer', 'inner']);
  expect(Array.from(slices.durationNs)).toEqual([50_000, 50_000, 50_000, 50_000]);
});
