import type {HeldMemory} from './held-memory.js';

/** What a text costs besides its characters. */
const bytesPerText = 80;

/** Texts of a pickle by number, each distinct one once. */
export class TextIds {
  readonly texts: string[] = [];
  readonly #ids = new Map<string, number>();

  constructor(private readonly held: HeldMemory) {}

  /** The number of a text, which is kept where it is new. */
  idOf(text: string): number {
    let id = this.#ids.get(text);
    if (id === undefined) {
      this.held.take(bytesPerText + 2 * text.length);
      id = this.texts.push(text) - 1;
      this.#ids.set(text, id);
    }
    return id;
  }
}
