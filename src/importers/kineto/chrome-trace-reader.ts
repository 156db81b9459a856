import {ByteWindow} from './byte-window.js';
import {EventBatch} from './event-batch.js';
import {EventScanner} from './event-scanner.js';
import {PlainEventScanner} from './plain-event-scanner.js';
import {isReadWhole} from './scanned-event.js';
import {
  closeBrace,
  closeBracket,
  colon,
  comma,
  decodeString,
  decodeUtf8,
  endOfString,
  isSpace,
  malformed,
  needMore,
  openBrace,
  openBracket,
  quote,
  skipSpace,
} from '../reading/json-bytes.js';
import {longestValueBytes, TopLevelValue} from './top-level-value.js';

/** A longer event is not one that a profiler wrote: it is skipped like a malformed one. */
const longestEventBytes = 32 << 20;
/** Looking for an event inside such a one costs as much again: after this many, the rest of the window is given up. */
const longEventLimit = 16;
/** So much text of events of which more is read than the columns hold may wait in a batch. */
const mostTextBytes = 8 << 20;
/** A batch is handed on before it is full where its events are this long: whoever counts their memory hears of them. */
const mostBatchBytes = 16 << 20;

/**
 * An event that the fast scanner leaves so near the end of what has been read mostly goes on behind it. It waits for that,
 * since the lenient scanner would read it in vain.
 */
const mostWaitingBytes = 32 << 10;

/** What is read of a large file at a time. */
const fastChunkBytes = 1 << 20;

/** Receives what the reader finds. */
export interface ChromeTraceSink {
  /** What a text number stands for: told once, before the first event that has it. */
  text(number: number, text: string): void;
  /**
   * The next events, as many as a batch holds, or fewer where their texts are long. It is reused after as many others as the reader has, one
   * less: with a single one, read it during the call.
   */
  events(batch: EventBatch): void;
  /** A top-level member other than `traceEvents`, as JSON text. */
  metadata(key: string, json: string): void;
}

/** How the stream went, once it has ended. */
export interface ChromeTraceOutcome {
  readonly events: number;
  /** Events that could not be read; reading went on at the next one. */
  readonly malformedEvents: number;
  /** The stream ended before the JSON did. */
  readonly isTruncated: boolean;
  /** There is more after the trace's end. */
  readonly hasTrailingData: boolean;
}

type State = 'start' | 'members' | 'value' | 'events' | 'resync' | 'end';

/**
 * Reads a Chrome trace from a stream of bytes in chunks of any size, without holding more of it than one event.
 *
 * Takes the object form (`{"traceEvents": […], …}`) and the bare array. Lenient, as trace writers need it: stray
 * commas, unescaped quotes, control characters and unfinished files cost the events they stand in, and no more.
 */
export class ChromeTraceReader {
  readonly #plain: PlainEventScanner | null;
  readonly #scanner = new EventScanner();
  /** They take turns: a sink may still be reading the others. */
  readonly #batches: readonly EventBatch[];
  #batch: EventBatch;
  #turn = 0;
  /** Of the texts in the present batch. */
  #textBytes = 0;
  /** What has been read of the stream since the last batch was handed on. */
  #batchBytes = 0;
  readonly #window: ByteWindow;
  /** How many texts of each scanner the sink has been told. */
  #plainTexts = 0;
  #lenientTexts = 0;
  #state: State = 'start';
  #key = '';
  readonly #value = new TopLevelValue();
  /** Nothing can be done before this many bytes are there: rescanning a long event must not be quadratic. */
  #wantedBytes = 0;
  #isBareArray = false;
  #finishedEvents = 0;
  #malformedEvents = 0;
  #hasTrailingData = false;
  /** While resyncing: the last byte that is no white space; -1 right behind the brace of one that was malformed. */
  #lastByte = -1;
  #isResynced = false;
  #longEvents = 0;

  /** `isLenient` leaves out the scanner for plain events: the result is the same, and takes longer. */
  constructor(
    private readonly sink: ChromeTraceSink,
    {isLenient = false, batchCount = 1}: {readonly isLenient?: boolean; readonly batchCount?: number} = {},
  ) {
    this.#plain = isLenient ? null : PlainEventScanner.create(batchCount);
    this.#batches = this.#plain?.batches ?? emptyBatches(batchCount);
    this.#batch = this.#batches[0];
    this.#window = this.#plain ? new ByteWindow(this.#plain, fastChunkBytes) : new ByteWindow();
  }

  get events(): number {
    return this.#finishedEvents + this.#batch.length;
  }

  /** Reads the next bytes of the stream. */
  push(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length;) {
      const chunk = bytes.subarray(at, at + this.target.length);
      this.#window.append(chunk);
      this.#go(chunk.length);
      at += chunk.length;
    }
  }

  /** Where the next bytes may be written instead, even during `pushTarget`. */
  get target(): Uint8Array {
    return this.#window.target;
  }

  /** Takes over the `length` bytes that have been written to `target`; calls `begun` before it reads them. */
  pushTarget(length: number, begun: () => void): void {
    this.#window.advance(length);
    begun();
    this.#go(length);
  }

  #go(newBytes: number): void {
    const window = this.#window;
    this.#batchBytes += newBytes;
    if (this.#batchBytes > mostBatchBytes) this.#handOn();
    if (window.end - window.position < this.#wantedBytes) return;
    this.#wantedBytes = 0;
    this.#run(false);
  }

  end(): ChromeTraceOutcome {
    this.#run(true);
    this.#handOn();
    return {
      events: this.#finishedEvents,
      malformedEvents: this.#malformedEvents,
      isTruncated: this.#state !== 'end',
      hasTrailingData: this.#hasTrailingData,
    };
  }

  #run(isLast: boolean): void {
    for (;;) {
      const before = this.#state;
      const position = this.#window.position;
      if (this.#step(isLast)) return;
      if (this.#state === before && this.#window.position === position) return;
    }
  }

  /** Goes on in the present state; true where more bytes are needed. */
  #step(isLast: boolean): boolean {
    switch (this.#state) {
      case 'start':
        return this.#start();
      case 'members':
        return this.#member();
      case 'value':
        return this.#skipValue();
      case 'events':
        return this.#readEvents(isLast);
      case 'resync':
        return this.#resync();
      case 'end':
        return this.#trail();
    }
  }

  #start(): boolean {
    const window = this.#window;
    const {bytes} = window;
    if (window.end - window.position < 3 && bytes[window.position] === 0xef) return true;
    // A byte order mark is no JSON, but editors on Windows add one.
    if (bytes[window.position] === 0xef && bytes[window.position + 1] === 0xbb) window.position += 3;
    window.position = skipSpace(bytes, window.position);
    if (window.position >= window.end) return true;
    this.#isBareArray = bytes[window.position] === openBracket;
    this.#state = this.#isBareArray ? 'events' : 'members';
    window.position++;
    return false;
  }

  #member(): boolean {
    const window = this.#window;
    const {bytes, end} = window;
    const position = skipSeparators(bytes, window.position);
    window.position = position;
    if (position >= end) return true;
    if (bytes[position] !== quote) {
      if (bytes[position] === closeBrace) this.#state = 'end';
      window.position++;
      return false;
    }
    const close = endOfString(bytes, position + 1, end);
    const afterKey = close < 0 ? end : skipSpace(bytes, close + 1);
    const value = bytes[afterKey] === colon ? skipSpace(bytes, afterKey + 1) : afterKey;
    if (value >= end) {
      if (end - position > longestValueBytes) window.position = end;
      return this.#wait();
    }
    this.#key = decodeString(bytes.subarray(position + 1, close));
    window.position = value;
    this.#state = this.#key === 'traceEvents' && bytes[value] === openBracket ? 'events' : 'value';
    if (this.#state === 'events') window.position++;
    else this.#value.begin();
    return false;
  }

  #skipValue(): boolean {
    const window = this.#window;
    window.position = this.#value.skip(window.bytes, window.position, window.end);
    if (window.position >= window.end) return true;
    const {json} = this.#value;
    if (json !== null) this.sink.metadata(this.#key, json);
    this.#state = 'members';
    return false;
  }

  #readEvents(isLast: boolean): boolean {
    const window = this.#window;
    const {end} = window;
    let position = window.position;
    for (;;) {
      position = this.#readPlainEvents(position);
      const {bytes} = window;
      position = skipSeparators(bytes, position);
      window.position = position;
      if (this.#wantsMore(end - position, isLast)) return true;
      const byte = bytes[position];
      if (byte === closeBracket) {
        this.#state = this.#isBareArray ? 'end' : 'members';
        window.position++;
        return false;
      }
      const isEvent = byte === openBrace;
      const next = isEvent ? this.#scanner.scan(bytes, position, end) : malformed;
      if (next === needMore && end - position < longestEventBytes) {
        if (isLast) window.position = end;
        return this.#wait();
      }
      if (next < 0) return this.#skipMalformed(position, next, isEvent ? this.#scanner.faultAt : position);
      this.#take(position, next);
      position = next;
    }
  }

  #wantsMore(restBytes: number, isLast: boolean): boolean {
    if (restBytes <= 0) return true;
    return this.#plain !== null && !isLast && restBytes < mostWaitingBytes;
  }

  /** Passes over all that the fast scanner can read; returns where it stopped. */
  #readPlainEvents(position: number): number {
    if (this.#plain) {
      for (;;) {
        const batch = this.#batch;
        const before = batch.length;
        position = this.#plain.scan(this.#window, position, batch);
        if (batch.length > before) this.#isResynced = false;
        if (!batch.isFull) return position;
        this.#handOn();
      }
    }
    if (this.#batch.isFull) this.#handOn();
    return position;
  }

  /** Takes the event that the lenient scanner found from `position` to `end`. */
  #take(position: number, end: number): void {
    const {event} = this.#scanner;
    if (event.phase !== 0) {
      this.#isResynced = false;
      const window = this.#window;
      const batch = this.#batch;
      batch.add(event, window.offsetOf(position));
      if (!isReadWhole(event.phase)) {
        batch.texts.set(batch.length - 1, decodeUtf8(window.bytes.subarray(position, end)));
        this.#textBytes += end - position;
        if (this.#textBytes > mostTextBytes) this.#handOn();
      }
    } else if (!this.#isResynced) {
      // Right after a resync an object without a phase is a nested one, which belongs to the event that was counted.
      this.#malformedEvents++;
    }
  }

  /** Hands the batch on, after the texts in it. */
  #handOn(): void {
    const plain = this.#plain;
    if (plain) {
      for (const count = plain.textCount; this.#plainTexts < count; this.#plainTexts++) {
        this.sink.text(2 * this.#plainTexts, decodeString(plain.textBytes(this.#plainTexts)));
      }
    }
    const {texts} = this.#scanner;
    for (; this.#lenientTexts < texts.length; this.#lenientTexts++) {
      this.sink.text(2 * this.#lenientTexts + 1, decodeString(texts.bytes(this.#lenientTexts)));
    }
    this.#finishedEvents += this.#batch.length;
    if (this.#batch.length > 0) this.sink.events(this.#batch);
    this.#turn = (this.#turn + 1) % this.#batches.length;
    this.#batch = this.#batches[this.#turn];
    this.#batch.clear();
    this.#textBytes = 0;
    this.#batchBytes = 0;
  }

  /**
   * Looks for the next place where an event can begin: after a comma or bracket a "{", and in it a key. Strings are not
   * followed, since a stray quote may be what went wrong.
   */
  #resync(): boolean {
    const window = this.#window;
    const {bytes, end} = window;
    const read = bytes.subarray(0, end);
    let position = window.position;
    for (;;) {
      const brace = read.indexOf(openBrace, position);
      const last = lastByteIn(bytes, position, brace < 0 ? end : brace);
      if (last >= 0) this.#lastByte = last;
      if (brace < 0) break;
      if (this.#lastByte === comma || this.#lastByte === openBracket) {
        const key = skipSpace(bytes, brace + 1);
        if (key >= end || bytes[key] === quote) {
          window.position = brace;
          if (key >= end) return true;
          this.#state = 'events';
          this.#isResynced = true;
          return false;
        }
      }
      this.#lastByte = openBrace;
      position = brace + 1;
    }
    window.position = end;
    return true;
  }

  /**
   * Goes on behind the fault, not behind the event's beginning: what lies between has been read, and reading it again for
   * each object nested in it would take quadratic time.
   */
  #skipMalformed(position: number, result: number, faultAt: number): boolean {
    const window = this.#window;
    this.#malformedEvents++;
    if (result === needMore && ++this.#longEvents > longEventLimit) window.position = window.end;
    else window.position = result === needMore ? position + 1 : Math.max(position + 1, faultAt);
    this.#lastByte = lastByteIn(window.bytes, position + 1, window.position);
    this.#state = 'resync';
    return false;
  }

  #trail(): boolean {
    const window = this.#window;
    window.position = skipSpace(window.bytes, window.position);
    if (window.position < window.end) this.#hasTrailingData = true;
    window.position = window.end;
    return true;
  }

  #wait(): boolean {
    this.#wantedBytes = Math.min(2 * (this.#window.end - this.#window.position), longestEventBytes);
    return true;
  }
}

/** The last byte from one position to before another that is no white space; -1 without any. */
function lastByteIn(bytes: Uint8Array, from: number, to: number): number {
  for (let at = to - 1; at >= from; at--) if (!isSpace(bytes[at])) return bytes[at];
  return -1;
}

function skipSeparators(bytes: Uint8Array, position: number): number {
  while (isSpace(bytes[position]) || bytes[position] === comma) position++;
  return position;
}

function emptyBatches(count: number): EventBatch[] {
  const buffer = new SharedArrayBuffer(count * EventBatch.bytes);
  return Array.from({length: count}, (_, index) => new EventBatch(buffer, index * EventBatch.bytes));
}
