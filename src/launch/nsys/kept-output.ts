/** nsys prints missing permissions at its start and the files it made at its end. */
const headLength = 16 * 1024;
const tailLength = 64 * 1024;

/** Keeps the beginning and the end of a program's output, however long it is. */
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

  /** Returns both parts; a line break marks a gap between them. */
  get text(): string {
    return this.#isCut ? `${this.#head}\n${this.#tail}` : this.#head + this.#tail;
  }
}
