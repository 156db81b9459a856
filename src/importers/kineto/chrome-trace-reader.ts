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
import type {ChromeTraceOutcome, ChromeTraceSink} from './chrome-trace-sink.js';
import {longestValueBytes, TopLevelValue} from './top-level-value.js';

/** No profiler writes a longer event: it is skipped like a malformed one. */
const longestEventBytes = 32 << 20;
/** Searching such an event for another one costs as much again; after this many, the rest of the window is skipped. */
const longEventLimit = 16;
/** The most text of a batch: the texts of events that need more than the columns hold. */
const mostTextBytes = 8 << 20;
/** With long events a batch is handed on before it is full, so that the memory accounting sees them in time. */
const mostBatchBytes = 16 << 20;

/**
 * An event so near the end of the data that the fast scanner rejects it is mostly incomplete. It waits for more data,
 * since the lenient scanner would fail too.
 */
const mostWaitingBytes = 32 << 10;

/** The chunk size of a large file. */
const fastChunkBytes = 1 << 20;

type State = 'start' | 'members' | 'value' | 'events' | 'resync' | 'end';

/**
 * Reads a Chrome trace from a stream of bytes in chunks of any size, and holds at most one event of it.
 *
 * Accepts the object form (`{"traceEvents": […], …}`) and the bare array. Stray commas, unescaped quotes, control
 * characters and truncated files lose only the events that contain them.
 */
export class ChromeTraceReader {
  readonly #plain: PlainEventScanner | null;
  readonly #scanner = new EventScanner();
  /** Batches take turns: a sink may still be reading the others. */
  readonly #batches: readonly EventBatch[];
  #batch: EventBatch;
  #turn = 0;
  /** Of the texts in the current batch. */
  #textBytes = 0;
  /** Bytes read since the last batch was handed on. */
  #batchBytes = 0;
  readonly #window: ByteWindow;
  /** Number of texts of each scanner that the sink has received. */
  #plainTexts = 0;
  #lenientTexts = 0;
  #state: State = 'start';
  #key = '';
  readonly #value = new TopLevelValue();
  /** No progress is possible with fewer bytes; without this, rescanning a long event would be quadratic. */
  #wantedBytes = 0;
  #isBareArray = false;
  #finishedEvents = 0;
  #malformedEvents = 0;
  #hasTrailingData = false;
  #hasTraceEvents = false;
  /** While resyncing: the last byte that is not white space; -1 right after the brace of a malformed event. */
  #lastByte = -1;
  #isResynced = false;
  #longEvents = 0;

  /** `isLenient` disables the scanner for plain events: same result, but slower. */
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

  /** A place to write the next bytes to instead, even during `pushTarget`. */
  get target(): Uint8Array {
    return this.#window.target;
  }

  /** Takes over the `length` bytes written to `target`; calls `begun` before it reads them. */
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
      hasTraceEvents: this.#hasTraceEvents,
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

  /** Continues in the current state. Returns true if more bytes are needed. */
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
    // JSON has no byte order mark, but editors on Windows add one.
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
    if (this.#state === 'events') {
      this.#hasTraceEvents = true;
      window.position++;
    } else this.#value.begin();
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

  /** Reads all events that the fast scanner can. Returns where it stopped. */
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

  /** Adds the event that the lenient scanner found from `position` to `end`. */
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
      // Right after a resync, an object without a phase is nested in the event that was already counted.
      this.#malformedEvents++;
    }
  }

  /** Hands the batch on, after its texts. */
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
   * Searches for the next place where an event can begin: a "{" after a comma or bracket, followed by a key. Strings
   * are not followed, since a stray quote may be the fault.
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
   * Continues after the fault, not after the event's beginning: rereading the bytes in between for each nested object
   * would take quadratic time.
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

/** Returns the last byte in `[from, to)` that is not white space; -1 if there is none. */
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
