import {ByteInterner, hashOfBytes} from '../reading/byte-interner.js';
import {
  closeBrace,
  colon,
  comma,
  decodeString,
  endOfString,
  endOfValue,
  malformed,
  needMore,
  openBrace,
  quote,
  skipSpace,
  spells,
} from '../reading/json-bytes.js';
import {NumberScanner} from './number-scanner.js';
import {
  absent,
  emptyEvent,
  leastNegativeId,
  negativeIdShift,
  type Microseconds,
  type ScannedEvent,
} from './scanned-event.js';

/**
 * Scans one event object of a Chrome trace, however malformed; the caller handles the rest of the file. The scanner for
 * plain events has the same results, is several times as fast, and is tested against this one.
 */
export class EventScanner {
  readonly texts = new ByteInterner();
  readonly event: ScannedEvent = emptyEvent();
  /** Where the last malformed event became invalid. */
  faultAt = 0;
  readonly #number = new NumberScanner();

  /**
   * Returns the position after the event whose "{" is at `position`, and stores it in `event`; else `needMore` or
   * `malformed`.
   */
  scan(bytes: Uint8Array, position: number, end: number): number {
    this.#reset();
    return this.#members(bytes, position, end, false);
  }

  #reset(): void {
    const {event} = this;
    event.phase = 0;
    event.name = event.category = event.pid = event.tid = event.id = event.label = absent;
    event.correlation = event.externalId = event.sequence = event.forwardThread = absent;
    event.device = event.stream = event.bytes = absent;
    event.hasStart = event.hasDuration = false;
  }

  #members(bytes: Uint8Array, position: number, end: number, inArguments: boolean): number {
    position = skipCommas(bytes, position + 1);
    while (bytes[position] === quote) {
      const key = position + 1;
      const keyEnd = endOfString(bytes, key, end);
      if (keyEnd < 0) return needMore;
      position = skipSpace(bytes, keyEnd + 1);
      if (bytes[position] !== colon) return this.#endedOrFaulty(position, end);
      position = skipSpace(bytes, position + 1);
      if (position >= end) return needMore;
      // Overwritten if the fault is inside the arguments.
      this.faultAt = position;
      position = inArguments
        ? this.#argument(bytes, key, keyEnd, position, end)
        : this.#member(bytes, key, keyEnd, position, end);
      if (position < 0) return position;
      position = skipSpace(bytes, position);
      if (bytes[position] !== comma) break;
      position = skipCommas(bytes, position);
    }
    if (bytes[position] === closeBrace) return position + 1;
    return this.#endedOrFaulty(position, end);
  }

  #endedOrFaulty(position: number, end: number): number {
    this.faultAt = position;
    return position >= end ? needMore : malformed;
  }

  #member(bytes: Uint8Array, key: number, keyEnd: number, position: number, end: number): number {
    const {event} = this;
    switch (keyEnd - key) {
      case 2:
        if (spells(bytes, key, keyEnd, 'ph')) return this.#phase(bytes, position, end);
        if (spells(bytes, key, keyEnd, 'ts')) {
          position = this.#time(bytes, position, end, event.start);
          event.hasStart = this.#hasTime;
          return position;
        }
        if (!spells(bytes, key, keyEnd, 'id')) break;
        position = this.#id(bytes, position, end);
        event.id = this.#value;
        return position;
      case 3:
        return this.#shortMember(bytes, key, keyEnd, position, end);
      case 4:
        if (spells(bytes, key, keyEnd, 'name')) {
          position = this.#text(bytes, position, end);
          event.name = this.#value;
          return position;
        }
        if (spells(bytes, key, keyEnd, 'args') && bytes[position] === openBrace) {
          return this.#members(bytes, position, end, true);
        }
        break;
    }
    return endOfValue(bytes, position, end);
  }

  /** Members of three letters: cat, pid, tid, dur. */
  #shortMember(bytes: Uint8Array, key: number, keyEnd: number, position: number, end: number): number {
    const {event} = this;
    if (spells(bytes, key, keyEnd, 'dur')) {
      position = this.#time(bytes, position, end, event.duration);
      event.hasDuration = this.#hasTime;
      return position;
    }
    if (spells(bytes, key, keyEnd, 'cat')) {
      position = this.#text(bytes, position, end);
      event.category = this.#value;
    } else if (spells(bytes, key, keyEnd, 'pid')) {
      position = this.#id(bytes, position, end);
      event.pid = this.#value;
    } else if (spells(bytes, key, keyEnd, 'tid')) {
      position = this.#id(bytes, position, end);
      event.tid = this.#value;
    } else return endOfValue(bytes, position, end);
    return position;
  }

  #argument(bytes: Uint8Array, key: number, keyEnd: number, position: number, end: number): number {
    const member = argumentOf(bytes, key, keyEnd);
    if (member === null) return endOfValue(bytes, position, end);
    if (member === 'label') {
      if (bytes[position] !== quote) return endOfValue(bytes, position, end);
      position = this.#text(bytes, position, end);
    } else position = this.#id(bytes, position, end);
    this.event[member] = member === 'bytes' && this.#value < absent ? this.#countIn(this.#value) : this.#value;
    return position;
  }

  /** Returns the number in a text: some writers quote numbers. */
  #countIn(id: number): number {
    if (id < -negativeIdShift) return absent;
    const text = decodeString(this.texts.bytes((-3 - id) / 2));
    return /^\d{1,15}$/.test(text) ? Number(text) : absent;
  }

  #value = absent;

  #phase(bytes: Uint8Array, position: number, end: number): number {
    if (bytes[position] !== quote) return endOfValue(bytes, position, end);
    const close = endOfString(bytes, position + 1, end);
    if (close < 0) return needMore;
    this.event.phase = bytes[position + 1];
    return close + 1;
  }

  #hasTime = false;

  /** Reads a number, or a text with one, since some writers quote numbers. Sets `#hasTime`. */
  #time(bytes: Uint8Array, position: number, end: number, time: Microseconds): number {
    time.whole = time.thousandths = 0;
    const isText = bytes[position] === quote;
    const start = isText ? position + 1 : position;
    this.#hasTime = NumberScanner.begins(bytes[start]);
    if (!this.#hasTime) return endOfValue(bytes, position, end);
    const numberEnd = this.#number.scan(bytes, start, end);
    if (isText && (numberEnd < 0 || bytes[numberEnd] !== quote)) {
      this.#hasTime = false;
      return endOfValue(bytes, position, end);
    }
    time.whole = this.#number.whole;
    time.thousandths = this.#number.thousandths;
    return isText ? numberEnd + 1 : numberEnd;
  }

  /** Reads a string and interns it into `#value`; for other values, `#value` is `absent`. */
  #text(bytes: Uint8Array, position: number, end: number): number {
    this.#value = absent;
    if (bytes[position] !== quote) return endOfValue(bytes, position, end);
    const {texts} = this;
    const close = texts.hashString(bytes, position + 1, end);
    if (close < 0) return needMore;
    this.#value = textNumber(texts.intern(bytes, position + 1, close, texts.hash));
    return close + 1;
  }

  /** Reads an id, a number or a text, into `#value`; numbers that do not fit a double count as texts. */
  #id(bytes: Uint8Array, position: number, end: number): number {
    this.#value = absent;
    if (bytes[position] === quote) {
      position = this.#text(bytes, position, end);
      this.#value = -2 - this.#value;
      return position;
    }
    if (!NumberScanner.begins(bytes[position])) return endOfValue(bytes, position, end);
    const start = position;
    position = this.#number.scan(bytes, position, end);
    if (position < 0) return position;
    const {whole, isExact} = this.#number;
    if (isExact && whole >= 0) this.#value = whole;
    else if (isExact && whole < absent && whole >= leastNegativeId) this.#value = whole - negativeIdShift;
    else if (!isExact || whole < absent)
      this.#value = -2 - textNumber(this.texts.intern(bytes, start, position, hashOfBytes(bytes, start, position)));
    return position;
  }
}

/** The plain scanner's texts have even numbers. */
function textNumber(text: number): number {
  return 2 * text + 1;
}

/** Stray commas are not JSON, but old writers left them for an empty fragment. */
function skipCommas(bytes: Uint8Array, position: number): number {
  position = skipSpace(bytes, position);
  while (bytes[position] === comma) position = skipSpace(bytes, position + 1);
  return position;
}

type ArgumentMember =
  'correlation' | 'externalId' | 'sequence' | 'forwardThread' | 'device' | 'stream' | 'bytes' | 'label';

/** The arguments that are read, by the length of their name, which alone distinguishes most. */
const argumentsByLength: readonly (readonly (readonly [name: string, member: ArgumentMember])[] | undefined)[] =
  byLength([
    ['name', 'label'],
    ['labels', 'label'],
    ['bytes', 'bytes'],
    ['device', 'device'],
    ['stream', 'stream'],
    ['External id', 'externalId'],
    ['external id', 'externalId'],
    ['correlation', 'correlation'],
    ['Fwd thread id', 'forwardThread'],
    ['Sequence number', 'sequence'],
  ]);

/** Returns the event member of an argument; null for the many that are read later, on demand. */
function argumentOf(bytes: Uint8Array, key: number, keyEnd: number): ArgumentMember | null {
  const candidates = argumentsByLength[keyEnd - key];
  if (candidates) for (const [name, member] of candidates) if (spells(bytes, key, keyEnd, name)) return member;
  return null;
}

function byLength<Member>(members: readonly (readonly [string, Member])[]): (readonly [string, Member])[][] {
  const lists: (readonly [string, Member])[][] = [];
  for (const entry of members) (lists[entry[0].length] ??= []).push(entry);
  return lists;
}
