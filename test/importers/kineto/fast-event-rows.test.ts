import {readFileSync} from 'node:fs';
import {gunzipSync} from 'node:zlib';
import {describe, expect, it} from 'vitest';
import {ChromeTraceReader} from '../../../src/importers/kineto/chrome-trace-reader.js';
import {TraceBuilder} from '../../../src/core/trace/trace-builder.js';
import {EventClock} from '../../../src/importers/kineto/event-clock.js';
import {FastEventRows} from '../../../src/importers/kineto/fast-event-rows.js';
import {FlowEnds} from '../../../src/importers/kineto/flow-ends.js';
import {KinetoTexts} from '../../../src/importers/kineto/kineto-texts.js';
import {KinetoTracks} from '../../../src/importers/kineto/kineto-tracks.js';
import {OpenBegins} from '../../../src/importers/kineto/open-begins.js';
import {EventBatch} from '../../../src/importers/kineto/event-batch.js';
import {KinetoTraceBuilder} from '../../../src/importers/kineto/kineto-trace-builder.js';
import {
  absent,
  emptyEvent,
  negativeIdShift,
  phase,
  type ScannedEvent,
} from '../../../src/importers/kineto/scanned-event.js';
import {expectSame} from '../../support/expect-same.js';
import {seededRandom} from '../../support/random.js';
import {itEachFile} from '../../support/each-file.js';
import {dataFiles} from '../../support/real-data.js';

const outcome = {events: 0, malformedEvents: 0, isTruncated: false, hasTrailingData: false, hasTraceEvents: true};

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
    expectSame(fast, plain);
    return plain?.slices.length ?? 0;
  }
}

function one<T>(random: () => number, of: readonly T[]): T {
  return of[Math.floor(random() * of.length)] as T;
}

itEachFile(dataFiles('kineto', '.json.gz'))('makes the rows of $name that event by event makes', ({path}) => {
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

/** Batches of events that are slices of one thread but for what is said of each; texts by their number. */
function bothOf(texts: Readonly<Record<number, string>>, events: readonly Partial<ScannedEvent>[]): BothWays {
  const both = new BothWays();
  for (const [number, text] of Object.entries(texts)) both.text(Number(number), text);
  const batch = new EventBatch(new ArrayBuffer(EventBatch.bytes), 0);
  events.forEach((event, index) => {
    const times = {start: {whole: 1000 + index, thousandths: 0}, duration: {whole: 1, thousandths: 0}};
    const usual = {...emptyEvent(), ...times, phase: phase.complete, hasStart: true, hasDuration: true, pid: 1, tid: 1};
    batch.add({...usual, ...event}, index);
  });
  both.events(batch);
  return both;
}

it('keeps the order of the file where slices of other sorts stand between', () => {
  const at = (us: number) => ({start: {whole: us, thousandths: 0}, duration: {whole: 50, thousandths: 0}, category: 4});
  // Of two with one interval the earlier is the outer one, be it one event or two.
  const both = bothOf({0: 'outer', 2: 'inner', 4: 'cpu_op'}, [
    {...at(100), name: 0},
    {...at(100), name: 2, phase: phase.begin},
    {...at(150), name: 2, phase: phase.end},
    {...at(200), name: 0, phase: phase.begin},
    {...at(200), name: 2},
    {...at(250), name: 0, phase: phase.end},
  ]);
  const {slices, strings} = both.fast.finish(outcome, null);
  expect(Array.from(slices.name, name => strings.get(name))).toEqual(['outer', 'inner', 'outer', 'inner']);
  expect(Array.from(slices.durationNs)).toEqual([50_000, 50_000, 50_000, 50_000]);
});

describe('where what is known outgrows the memory', () => {
  const far = 1_000_000;

  it.each([
    {what: 'on a thread', category: 'cpu_op', event: {}},
    {what: 'of a category', category: 'cpu_op', event: {category: far + 2}},
    {what: 'on a stream', category: 'kernel', event: {device: 3, stream: 7}},
    {what: 'on a stream that its thread tells', category: 'kernel', event: {pid: 3, tid: 7}},
    {what: 'that has only begun', category: 'cpu_op', event: {phase: phase.begin}},
  ])('makes the same row of a slice $what, and of those around it', ({category, event}) => {
    const near = {category: 0, name: 2};
    const texts = {0: category, 2: 'near', [far]: 'far', [far + 2]: category};
    expect(bothOf(texts, [near, {...near, ...event, name: far}, near]).compare()).toBe(3);
  });

  it('makes the same of a flow', () => {
    const flow = {phase: phase.flowStart, category: far, id: 1};
    expect(bothOf({0: 'cpu_op', 2: 'near', [far]: 'fwdbwd'}, [{category: 0, name: 2}, flow]).compare()).toBe(1);
  });

  it('says so where that ends', () => {
    const most = 2 ** 30;
    expect(() => bothOf({0: 'cpu_op'}, [{category: 0, name: most}])).toThrow(RangeError);
  });
});

it('leaves it to slices what wrote a file: flows tell nothing of that', () => {
  const both = bothOf({0: 'mine', 2: 'kernel', 4: 'name'}, [
    {category: 0, name: 4},
    {phase: phase.flowStart, category: 2, name: 4, id: 1},
  ]);
  expect(both.fast.finish(outcome, null).meta.format).toBe('chrome');
  expect(both.plain.finish(outcome, null).meta.format).toBe('chrome');
});

it('leaves out ends of flows without a time, which would stand for those with one', () => {
  const operator = (sequence: number, forwardThread: number) => ({category: 0, name: 2, sequence, forwardThread});
  const flow = {category: 4, id: 7};
  const at = (whole: number) => ({start: {whole, thousandths: 0}});
  const both = bothOf({0: 'cpu_op', 2: 'op', 4: 'fwdbwd'}, [
    {...operator(5, 0), ...at(1000)},
    {...operator(5, 1), ...at(2000)},
    {...flow, ...at(1000), phase: phase.flowStart},
    {...flow, ...at(2000), phase: phase.flowEnd},
    {...flow, phase: phase.flowEnd, hasStart: false},
    {...flow, ...at(2 ** 50), phase: phase.flowEnd},
  ]);
  const {forwardBackward} = both.fast.finish(outcome, null);
  expect([...forwardBackward]).toEqual([0, 1]);
  expect(both.plain.finish(outcome, null).forwardBackward).toEqual(forwardBackward);
});

it('is used: WebAssembly compiles, and has what is called', () => {
  const builder = new TraceBuilder();
  const texts = new KinetoTexts(builder.strings);
  const tracks = new KinetoTracks(builder, () => '');
  const [flows, begins, clock] = [new FlowEnds(), new OpenBegins(builder), new EventClock()];
  clock.baseUs = 0;
  expect(FastEventRows.create({builder, texts, tracks, flows, begins, clock})).not.toBeNull();
});
