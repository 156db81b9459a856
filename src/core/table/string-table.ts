/** Strings by index, each distinct text once. Index 0 is always the empty string. */
export class StringTable {
  readonly #texts: string[] = [''];
  readonly #indices = new Map<string, number>([['', 0]]);

  get length(): number {
    return this.#texts.length;
  }

  /** The index of `text`, which is added where it is new. */
  intern(text: string): number {
    let index = this.#indices.get(text);
    if (index === undefined) {
      index = this.#texts.length;
      this.#texts.push(text);
      this.#indices.set(text, index);
    }
    return index;
  }

  /** The index of `text`, or -1 where no slice has this name. */
  find(text: string): number {
    return this.#indices.get(text) ?? -1;
  }

  /** The text at `index`; an index that is not in the table (-1: absent) gives the empty string. */
  get(index: number): string {
    return this.#texts[index] ?? '';
  }
}
