/** Texts that are created on request, such as those of a trace that was read back from a file. */
export interface StringSource {
  readonly length: number;
  /** Its memory. */
  readonly bytes: number;
  text(index: number): string;
}

/** The memory of a text besides its characters: its header, its entries in the list and in the map of indices. */
const bytesPerText = 64;

/** Strings by index, each distinct text once. Index 0 is always the empty string. */
export class StringTable {
  readonly #texts: (string | undefined)[] = [''];
  readonly #source: StringSource | null;
  /** Created on the first search if the texts come from a source. */
  #indices: Map<string, number> | null;
  #heldBytes = 0;

  /**
   * Creates a table of the texts of `source`, which must be distinct and begin with the empty string; empty without a
   * source.
   */
  constructor(source: StringSource | null = null) {
    this.#source = source;
    this.#indices = source === null ? new Map([['', 0]]) : null;
    if (source !== null) this.#texts.length = Math.max(1, source.length);
  }

  get length(): number {
    return this.#texts.length;
  }

  /** The approximate memory of the table. */
  get bytes(): number {
    return this.#heldBytes + (this.#source?.bytes ?? 0);
  }

  /** Returns the index of `text`, and adds it if it is new. */
  intern(text: string): number {
    const indices = this.#allIndices();
    let index = indices.get(text);
    if (index === undefined) {
      index = this.#texts.length;
      this.#texts.push(text);
      indices.set(text, index);
      this.#heldBytes += text.length + bytesPerText;
    }
    return index;
  }

  /** Returns the index of `text`, or -1 if it is not in the table. */
  find(text: string): number {
    return this.#allIndices().get(text) ?? -1;
  }

  /** Returns the text at `index`. An index outside the table (-1: absent) gives the empty string. */
  get(index: number): string {
    return this.#texts[index] ?? this.#load(index);
  }

  #load(index: number): string {
    const source = this.#source;
    if (source === null || !Number.isInteger(index) || index < 0 || index >= source.length) return '';
    const text = source.text(index);
    this.#texts[index] = text;
    this.#heldBytes += text.length + bytesPerText;
    return text;
  }

  #allIndices(): Map<string, number> {
    if (this.#indices === null) {
      this.#indices = new Map();
      for (let i = 0; i < this.#texts.length; i++) this.#indices.set(this.get(i), i);
    }
    return this.#indices;
  }
}
