import {upperBound} from '../core/table/search.js';

/** Finds the lines of a text for offsets in any order. */
export class LineIndex {
  readonly #starts: number[] = [0];

  constructor(text: string) {
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1);
  }

  /** Returns the line, from 1, of an offset in UTF-16 units. */
  lineAt(offset: number): number {
    return upperBound(this.#starts, offset);
  }
}
