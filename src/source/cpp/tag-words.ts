import {cppTagWords} from './tag-calls.js';

const words = `NVTX3_V1_\\w+|${cppTagWords.join('|')}`;

/** The places of a C++ text with words that open or close ranges. */
export class TagWords {
  /** Offsets, ascending. */
  readonly #offsets: readonly number[];

  /** @param more such words defined by the text itself: letters, digits and underscores */
  constructor(text: string, more: readonly string[]) {
    const all = new RegExp(`\\b(?:${[words, ...more].join('|')})\\b`, 'g');
    this.#offsets = Array.from(text.matchAll(all), ({index}) => index);
  }

  /** Returns whether a word begins in `[from, to)`, in UTF-16 units. */
  isIn(from: number, to: number): boolean {
    let [low, high] = [0, this.#offsets.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#offsets[middle] ?? Infinity) < from) low = middle + 1;
      else high = middle;
    }
    return (this.#offsets[low] ?? Infinity) < to;
  }
}
