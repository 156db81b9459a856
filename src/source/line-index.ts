/** The lines of a text, for offsets in any order. */
export class LineIndex {
  readonly #starts: number[] = [0];

  constructor(text: string) {
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1);
  }

  /** The line, from 1, that an offset (in UTF-16 units) lies in. */
  lineAt(offset: number): number {
    let low = 0;
    let high = this.#starts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#starts[middle] ?? Infinity) <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
