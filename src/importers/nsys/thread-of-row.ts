import type {NsysTracks} from './database/nsys-tracks.js';

/**
 * Finds the thread of each row of a batch. Consecutive rows mostly belong to one thread, so two columns are compared in
 * place, which saves V8 an object for each number passed to a call.
 */
export class ThreadOfRow {
  #row = -1;
  #track = -1;

  /** @param columns the rows' thread ids, as `NsysTracks.thread` takes them */
  constructor(
    private readonly tracks: NsysTracks,
    private readonly columns: {readonly processKey: Float64Array; readonly threadId: Float64Array},
  ) {}

  /** Returns the thread's track. */
  trackOf(row: number): number {
    const {processKey, threadId} = this.columns;
    const last = this.#row;
    if (last < 0 || threadId[row] !== threadId[last] || processKey[row] !== processKey[last]) {
      this.#track = this.tracks.thread(processKey[row], threadId[row]);
      this.#row = row;
    }
    return this.#track;
  }
}
