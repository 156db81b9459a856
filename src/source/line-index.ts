import {upperBound} from '../core/table/search.js';

/** The lines of a text, for offsets in any order. */
export class LineIndex {
  readonly #starts: number[] = [0];

  constructor(text: string) {
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1);
  }

  /** The line, from 1, that an offset (in UTF-16 units) lies in. */
  lineAt(offset: number): number {
    return upperBound(this.#starts, offset);
  }
}
