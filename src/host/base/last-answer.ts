/** Caches the answer to the last question; a failed question is asked again next time. */
export class LastAnswer<T> {
  #last: {readonly key: string; readonly answer: Promise<T>} | null = null;

  /**
   * @param key identifies the question
   * @param otherwise returns the answer for an error
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
