import {TraceError} from '../../core/base/errors.js';
import {say} from '../../core/base/say.js';

/** Receives nested lists of numbers as they are read. */
export interface NumberListSink {
  /** A list begins or ends; `depth` is its own, 1 for the outermost. */
  begin(depth: number): void;
  number(value: number, depth: number): void;
  end(depth: number): void;
}

const deepest = 4;
/** No number in such a file is longer. */
const longestNumber = 32;

/** Reads JSON that consists only of lists and numbers, byte by byte. */
export class NumberLists {
  #depth = 0;
  #text = '';
  #isDone = false;

  constructor(private readonly sink: NumberListSink) {}

  get isDone(): boolean {
    return this.#isDone;
  }

  /** Reads the next bytes of the file. @throws TraceError for anything but lists and numbers */
  write(chunk: Uint8Array): void {
    for (const byte of chunk) {
      if (isOfNumber(byte)) {
        this.#text += String.fromCharCode(byte);
        if (this.#text.length > longestNumber) throw damaged(say('a number is too long'));
        continue;
      }
      this.#endNumber();
      if (byte === 0x5b) this.#begin();
      else if (byte === 0x5d) this.#end();
      else if (byte !== 0x2c && byte > 0x20) throw damaged(say('it contains the byte {0}', `0x${byte.toString(16)}`));
    }
  }

  #begin(): void {
    if (this.#isDone || this.#depth === deepest) throw damaged(say('its lists are not nested as PyTorch nests them'));
    this.sink.begin(++this.#depth);
  }

  #end(): void {
    if (this.#depth === 0) throw damaged(say('it ends a list that it has not begun'));
    this.sink.end(this.#depth--);
    this.#isDone = this.#depth === 0;
  }

  #endNumber(): void {
    if (this.#text === '') return;
    const value = Number(this.#text);
    this.#text = '';
    if (!Number.isFinite(value) || this.#depth === 0) throw damaged(say('it contains something that is not a number'));
    this.sink.number(value, this.#depth);
  }
}

/** Returns whether a byte is a digit, sign, point or exponent. */
function isOfNumber(byte: number): boolean {
  return (
    (byte >= 0x30 && byte <= 0x39) || byte === 0x2d || byte === 0x2b || byte === 0x2e || byte === 0x65 || byte === 0x45
  );
}

/** Returns the error for a timeline that does not have PyTorch's layout. */
export function damaged(what: string): TraceError {
  return new TraceError('import/damaged', say('The memory timeline is damaged: {0}.', what));
}
