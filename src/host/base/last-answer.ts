/** Keeps the answer to the last question, asked once; one that failed is asked again the next time. */
export class LastAnswer<T> {
  #last: {readonly key: string; readonly answer: Promise<T>} | null = null;

  /**
   * @param key tells questions apart
   * @param otherwise what stands for an answer that failed, by why it did
   */
  to(key: string, ask: () => Promise<T>, otherwise: (error: unknown) => T): Promise<T> {
    if (this.#last?.key === key) return this.#last.answer;
    const answer = ask().catch((error: unknown) => {
      if (this.#last?.key === key) this.#last = null;
      return otherwise(error);
    });
    this.#last = {key, answer};
    return answer;
  }
}
