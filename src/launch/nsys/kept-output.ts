/** nsys tells at its start what it may not do, and at its end what it made. */
const headLength = 16 * 1024;
const tailLength = 64 * 1024;

/** The begin and the end of what a program writes, however much comes between. */
export class KeptOutput {
  #head = '';
  #tail = '';
  #isCut = false;

  add(text: string): void {
    const room = headLength - this.#head.length;
    this.#head += text.slice(0, room);
    const rest = this.#tail + text.slice(room);
    this.#isCut ||= rest.length > tailLength;
    this.#tail = rest.slice(-tailLength);
  }

  /** Both; where something is missing between them, the line ends there. */
  get text(): string {
    return this.#isCut ? `${this.#head}\n${this.#tail}` : this.#head + this.#tail;
  }
}
