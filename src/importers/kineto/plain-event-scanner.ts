import type {ByteInterner} from './byte-interner.js';
import {absent, type ScannedEvent} from './scanned-event.js';
import {
  backslash,
  closeBrace,
  closeBracket,
  colon,
  comma,
  endsWord,
  openBrace,
  openBracket,
  quote,
} from './json-bytes.js';

/** The event is not as profilers write it, or does not end in the window: the lenient scanner must have a look. */
export const notPlain = -1;

/** Up to four ASCII letters as one little-endian word, to compare a name in one step. */
function word(letters: string): number {
  let value = 0;
  for (let i = 0; i < letters.length; i++) value |= letters.charCodeAt(i) << (8 * i);
  return value;
}

const phKey = word('ph');
const tsKey = word('ts');
const idKey = word('id');
const catKey = word('cat');
const pidKey = word('pid');
const tidKey = word('tid');
const durKey = word('dur');
const nameWord = word('name');
const argsWord = word('args');
const rnalWord = word('rnal');
const lIdWord = word('l id');
const elatWord = word('elat');
const tionWord = word('tion');
const enceWord = word('ence');
const numWord = word(' num');
const mberWord = word('mber');
const threWord = word('thre');
const adIdWord = word('ad i');
const dIdWord = word('d id');
const viceWord = word('vice');
const reamWord = word('ream');
const ytesWord = word('ytes');
const space = 0x20;
const newline = 0x0a;
const carriageReturn = 0x0d;
const tab = 0x09;
const zero = 0x30;
const point = 0x2e;

const powersOfTen = Float64Array.from({length: 10}, (_, power) => 10 ** power);

/** More digits might not fit a double. */
const plainDigits = 15;

/**
 * Scans events that look as profilers write them, several times as fast as the lenient scanner, which stands behind it.
 *
 * One flat loop without calls or bounds checks: the zero and quote bytes that `ByteWindow` keeps behind its content end
 * every inner loop. Anything unusual (an escape in a key, an exponent, an id that is no small number, more than three
 * decimals) makes it give up. Its oracle is the lenient scanner: both must read the same.
 */
export class PlainEventScanner {
  #bytes: Uint8Array = new Uint8Array(0);
  #view: DataView = new DataView(this.#bytes.buffer);

  constructor(
    private readonly event: ScannedEvent,
    private readonly texts: ByteInterner,
  ) {}

  /** The position after the event whose "{" is at `position`; `event` then holds it. Or `notPlain`. */
  // eslint-disable-next-line complexity -- every byte of a file passes here: calls would double its time
  scan(bytes: Uint8Array, position: number, end: number): number {
    if (bytes !== this.#bytes) {
      this.#bytes = bytes;
      this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    }
    const view = this.#view;
    const {event, texts} = this;
    let phase = 0;
    let name = absent;
    let category = absent;
    let pid = absent;
    let tid = absent;
    let id = absent;
    let correlation = absent;
    let externalId = absent;
    let sequence = absent;
    let forwardThread = absent;
    let device = absent;
    let stream = absent;
    let byteCount = absent;
    let startWhole = 0;
    let startThousandths = 0;
    let durationWhole = 0;
    let durationThousandths = 0;
    let hasStart = false;
    let hasDuration = false;
    let inArguments = false;
    let isSeparated = true;
    let at = position + 1;
    for (;;) {
      let byte = bytes[at];
      while (byte === space || byte === newline || byte === comma || byte === carriageReturn || byte === tab) {
        if (byte === comma) isSeparated = true;
        byte = bytes[++at];
      }
      if (byte !== quote) {
        if (byte !== closeBrace) return notPlain;
        at++;
        if (!inArguments) break;
        inArguments = isSeparated = false;
        continue;
      }
      if (!isSeparated) return notPlain;
      isSeparated = false;
      const key = ++at;
      byte = bytes[at];
      while (byte !== quote) byte = bytes[++at];
      if (bytes[at - 1] === backslash) return notPlain;
      const length = at - key;
      byte = bytes[++at];
      if (byte !== colon) return notPlain;
      byte = bytes[++at];
      while (byte === space) byte = bytes[++at];
      const head = view.getInt32(key, true);
      // Whether the value may be one that is read: values of other members are passed over, whatever they are.
      const isRead = inArguments ? mayBeReadArgument(length, head) : isReadMember(length, head);
      if (byte === quote) {
        const content = ++at;
        byte = bytes[at];
        if (isRead) {
          // Texts that name a process or serve as an id, and the labels of metadata events, are rare.
          if (inArguments) return notPlain;
          if (length === 2 && (head & 0xffff) === phKey) phase = byte;
          else {
            if (length !== 4 && (head & 0xffffff) !== catKey) return notPlain;
            at = texts.hashString(bytes, content, end);
            if (at < 0) return notPlain;
            const text = texts.intern(bytes, content, at, texts.hash);
            if (length === 4) name = text;
            else category = text;
            at++;
            continue;
          }
        }
        while (byte !== quote) {
          at += byte === backslash ? 2 : 1;
          byte = bytes[at];
        }
        at++;
        continue;
      }
      if (byte === openBrace || byte === openBracket) {
        if (byte === openBrace && !inArguments && length === 4 && head === argsWord) {
          inArguments = isSeparated = true;
          at++;
          continue;
        }
        if (isRead) return notPlain;
        let depth = 0;
        for (;;) {
          if (byte === quote) {
            byte = bytes[++at];
            while (byte !== quote) {
              at += byte === backslash ? 2 : 1;
              byte = bytes[at];
            }
          } else if (byte === openBrace || byte === openBracket) depth++;
          else if (byte === closeBrace || byte === closeBracket) {
            if (--depth === 0) break;
          } else if (byte === 0) return notPlain;
          byte = bytes[++at];
        }
        at++;
        continue;
      }
      // A number, or a word.
      let digit = byte - zero;
      if (digit < 0 || digit > 9) {
        if (isRead || isWord[byte] === 0) return notPlain;
        while (isWord[byte] === 1) byte = bytes[++at];
        if (endsWord[byte] === 0) return notPlain;
        continue;
      }
      // Nine digits fit 32 bits: in such steps the loop stays free of doubles.
      const firstDigit = at;
      let whole = 0;
      let low = 0;
      let lowDigits = 0;
      while (digit >= 0 && digit <= 9) {
        if (lowDigits === 9) {
          whole = whole * 1e9 + low;
          low = lowDigits = 0;
        }
        low = (Math.imul(low, 10) + digit) | 0;
        lowDigits++;
        digit = bytes[++at] - zero;
      }
      whole = whole === 0 ? low : whole * (powersOfTen[lowDigits] ?? 1) + low;
      byte = digit + zero;
      let thousandths = 0;
      const digits = at - firstDigit;
      let decimals = 0;
      if (byte === point) {
        let place = 100;
        digit = bytes[++at] - zero;
        while (digit >= 0 && digit <= 9) {
          if (++decimals > 3) break;
          thousandths += digit * place;
          place = place === 100 ? 10 : 1;
          digit = bytes[++at] - zero;
        }
        byte = digit + zero;
      }
      if (!isRead) {
        // What nobody reads may be any number: "1.25e-05", "0.123456".
        while (isWord[byte] === 1) byte = bytes[++at];
        if (endsWord[byte] === 0) return notPlain;
        continue;
      }
      if (endsWord[byte] === 0) return notPlain;
      if (inArguments) {
        if (digits > plainDigits || decimals > 0) return notPlain;
        const last = view.getInt32(key + length - 4, true);
        if (length === 11) {
          const middle = view.getInt32(key + 4, true);
          if (middle === rnalWord && last === lIdWord) externalId = whole;
          else if (middle === elatWord && last === tionWord) correlation = whole;
        } else if (length === 6) {
          if (last === viceWord) device = whole;
          else if (last === reamWord) stream = whole;
        } else if (length === 15) {
          if (
            view.getInt32(key + 4, true) === enceWord &&
            view.getInt32(key + 8, true) === numWord &&
            last === mberWord
          ) {
            sequence = whole;
          }
        } else if (length === 13) {
          if (
            view.getInt32(key + 4, true) === threWord &&
            view.getInt32(key + 8, true) === adIdWord &&
            last === dIdWord
          ) {
            forwardThread = whole;
          }
        } else if (last === ytesWord) byteCount = whole;
      } else if (length === 2) {
        if ((head & 0xffff) === tsKey) {
          if (whole > Number.MAX_SAFE_INTEGER) return notPlain;
          startWhole = whole;
          startThousandths = thousandths;
          hasStart = true;
        } else if ((head & 0xffff) === idKey) {
          if (digits > plainDigits || decimals > 0) return notPlain;
          id = whole;
        }
      } else if (length === 3) {
        const letters = head & 0xffffff;
        if (letters === durKey) {
          if (whole > Number.MAX_SAFE_INTEGER) return notPlain;
          durationWhole = whole;
          durationThousandths = thousandths;
          hasDuration = true;
        } else if (letters === pidKey || letters === tidKey) {
          if (digits > plainDigits || decimals > 0) return notPlain;
          if (letters === pidKey) pid = whole;
          else tid = whole;
        } else if (letters === catKey) return notPlain;
      } else return notPlain;
    }
    if (at > end) return notPlain;
    event.phase = phase;
    event.name = name;
    event.category = category;
    event.pid = pid;
    event.tid = tid;
    event.id = id;
    event.correlation = correlation;
    event.externalId = externalId;
    event.sequence = sequence;
    event.forwardThread = forwardThread;
    event.device = device;
    event.stream = stream;
    event.bytes = byteCount;
    event.label = absent;
    event.hasStart = hasStart;
    event.hasDuration = hasDuration;
    event.start.whole = startWhole;
    event.start.thousandths = startThousandths;
    event.duration.whole = durationWhole;
    event.duration.thousandths = durationThousandths;
    return at;
  }
}

/** Whether a member of the event itself is one that is read, but for its arguments. */
function isReadMember(length: number, head: number): boolean {
  if (length === 4) return head === nameWord;
  if (length === 2) {
    const letters = head & 0xffff;
    return letters === phKey || letters === tsKey || letters === idKey;
  }
  if (length !== 3) return false;
  const letters = head & 0xffffff;
  return letters === catKey || letters === pidKey || letters === tidKey || letters === durKey;
}

const bytesHead = word('byte');
const deviceHead = word('devi');
const streamHead = word('stre');
const labelsHead = word('labe');
const externalHead = word('Exte');
const externalLowerHead = word('exte');
const correlationHead = word('corr');
const forwardHead = word('Fwd ');
const sequenceHead = word('Sequ');

/** Whether an argument's name has the length and the first four letters of one that is read. */
function mayBeReadArgument(length: number, head: number): boolean {
  switch (length) {
    case 4:
      return head === nameWord;
    case 5:
      return head === bytesHead;
    case 6:
      return head === deviceHead || head === streamHead || head === labelsHead;
    case 11:
      return head === externalHead || head === correlationHead || head === externalLowerHead;
    case 13:
      return head === forwardHead;
    case 15:
      return head === sequenceHead;
    default:
      return false;
  }
}

/** Bytes of numbers and words: all but what ends or breaks them. */
const isWord = Uint8Array.from({length: 256}, (_, byte) =>
  byte > comma && !':{}[]'.includes(String.fromCharCode(byte)) ? 1 : 0,
);
