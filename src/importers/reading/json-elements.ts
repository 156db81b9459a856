import {
  closeBrace,
  closeBracket,
  colon,
  comma,
  decodeString,
  decodeUtf8,
  endOfString,
  endOfValue,
  needMore,
  openBrace,
  openBracket,
  quote,
  skipSpace,
} from './json-bytes.js';
import {JsonSkip} from './json-skip.js';

/** How to handle a value: enter it, take it as a whole, or skip it. */
export type ElementAction = 'enter' | 'take' | 'skip';

/**
 * Receives the contents of a JSON text while it is read. A path consists of keys joined by "/", with "*" for any member
 * of a list.
 */
export interface ElementSink {
  /** Called once for each list, and for each member of an object that is entered. */
  actionOf(path: string): ElementAction;
  /** A taken value: its JSON text, and its offset in the stream. */
  element(path: string, text: string, offset: number): void;
  /** A member of a list was skipped. */
  skipped(path: string): void;
  /** The end of an object or a list that was entered. */
  left(path: string): void;
}

interface Frame {
  readonly path: string;
  readonly isList: boolean;
  /** The path of the next value; in a list, that of all its members. */
  childPath: string;
  action: ElementAction;
}

type State = 'value' | 'key' | 'colon' | 'after' | 'skipping' | 'done' | 'damaged';

/** Longer values are skipped. */
const longestElementBytes = 1 << 20;
/**
 * Chunks are joined to at least this size: an incomplete value at a chunk's end is scanned again with the next chunk.
 */
const leastChunkBytes = 64 << 10;
/** Scanners need no bounds check with these bytes at the end: @see ByteWindow */
const tail = [0, 0, quote, 0, 0, 0, 0, 0];

/**
 * Passes on values of a JSON text of any size as it arrives in chunks. Only entered values cost memory or stack,
 * however deeply others are nested.
 */
export class JsonElements {
  readonly #frames: Frame[] = [];
  readonly #skip = new JsonSkip();
  #state: State = 'value';
  #window = new Uint8Array(tail);
  #position = 0;
  #end = 0;
  /** Offset in the stream of the window's first byte. */
  #origin = 0;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  /** Number of values that were too long to be taken. */
  tooLong = 0;

  constructor(private readonly sink: ElementSink) {}

  /** Whether the text has ended or is no longer JSON: later bytes are ignored. */
  get isDone(): boolean {
    return this.#state === 'done' || this.#state === 'damaged';
  }

  get isDamaged(): boolean {
    return this.#state === 'damaged';
  }

  /** Reads a chunk, which is valid only during the call. */
  push(chunk: Uint8Array): void {
    if (this.isDone) return;
    this.#waiting.push(chunk.length < leastChunkBytes ? chunk.slice() : chunk);
    this.#waitingBytes += chunk.length;
    if (this.#waitingBytes >= leastChunkBytes) this.#take();
  }

  /** Ends the text. Returns true if it was complete, or had stopped being JSON before. */
  end(): boolean {
    this.#take();
    return this.isDone;
  }

  #take(): void {
    const rest = this.#end - this.#position;
    const length = rest + this.#waitingBytes;
    const window = new Uint8Array(length + tail.length);
    window.set(this.#window.subarray(this.#position, this.#end));
    let at = rest;
    for (const chunk of this.#waiting) {
      window.set(chunk, at);
      at += chunk.length;
    }
    window.set(tail, length);
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#origin += this.#position;
    this.#window = window;
    this.#position = 0;
    this.#end = length;
    while (this.#step());
  }

  /** Returns whether there was more to read. */
  #step(): boolean {
    if (this.isDone) return false;
    if (this.#state !== 'skipping') this.#position = Math.min(skipSpace(this.#window, this.#position), this.#end);
    if (this.#position >= this.#end) return false;
    switch (this.#state) {
      case 'value':
        return this.#value();
      case 'key':
        return this.#key();
      case 'colon':
        return this.#go(this.#window[this.#position++] === colon ? 'value' : 'damaged');
      case 'after':
        return this.#after();
      case 'skipping':
        this.#position = this.#skip.skip(this.#window, this.#position, this.#end);
        return this.#position < this.#end && this.#go('after');
      default:
        return false;
    }
  }

  #value(): boolean {
    const frame = this.#frames.at(-1);
    const byte = this.#window[this.#position];
    if (frame?.isList && byte === closeBracket) return this.#leave();
    const [path, action] = frame ? [frame.childPath, frame.action] : ['', 'enter' as const];
    if (action === 'enter' && (byte === openBrace || byte === openBracket)) return this.#enter(path, byte);
    return action === 'take' ? this.#handOver(path) : this.#pass(path);
  }

  #handOver(path: string): boolean {
    const start = this.#position;
    const end = endOfValue(this.#window, start, this.#end);
    if (end === needMore) {
      if (this.#end - start <= longestElementBytes) return false;
      this.tooLong++;
      return this.#pass(path);
    }
    if (end < 0) return this.#go('damaged');
    if (end - start > longestElementBytes) this.tooLong++;
    else this.sink.element(path, decodeUtf8(this.#window.subarray(start, end)), this.#origin + start);
    this.#position = end;
    return this.#go('after');
  }

  #enter(path: string, byte: number): boolean {
    this.#position++;
    const isList = byte === openBracket;
    const childPath = `${path}/*`;
    this.#frames.push({path, isList, childPath, action: isList ? this.sink.actionOf(childPath) : 'skip'});
    return this.#go(isList ? 'value' : 'key');
  }

  #pass(path: string): boolean {
    if (path.endsWith('/*')) this.sink.skipped(path);
    this.#skip.begin();
    return this.#go('skipping');
  }

  #key(): boolean {
    const byte = this.#window[this.#position];
    const frame = this.#frames.at(-1);
    if (byte === closeBrace) return this.#leave();
    if (byte !== quote || !frame) return this.#go('damaged');
    const end = endOfString(this.#window, this.#position + 1, this.#end);
    if (end === needMore || end >= this.#end) {
      return this.#end - this.#position > longestElementBytes && this.#go('damaged');
    }
    frame.childPath = `${frame.path}/${decodeString(this.#window.subarray(this.#position + 1, end))}`;
    frame.action = this.sink.actionOf(frame.childPath);
    this.#position = end + 1;
    return this.#go('colon');
  }

  #after(): boolean {
    const frame = this.#frames.at(-1);
    const byte = this.#window[this.#position];
    if (!frame) return this.#go('done');
    if (byte === (frame.isList ? closeBracket : closeBrace)) return this.#leave();
    this.#position++;
    if (byte !== comma) return this.#go('damaged');
    return this.#go(frame.isList ? 'value' : 'key');
  }

  #leave(): boolean {
    this.#position++;
    const frame = this.#frames.pop();
    if (frame) this.sink.left(frame.path);
    return this.#go(this.#frames.length === 0 ? 'done' : 'after');
  }

  #go(state: State): boolean {
    this.#state = state;
    return true;
  }
}
