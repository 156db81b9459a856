import type {NsysTracks} from './database/nsys-tracks.js';

/**
 * The thread of each row of a batch. Rows of one thread follow one another: two columns are compared where they stand,
 * which spares V8 an object for each number that a call is given.
 */
export class ThreadOfRow {
  #row = -1;
  #track = -1;

  /** @param columns what rows say of their thread, as `NsysTracks.thread` takes it */
  constructor(
    private readonly tracks: NsysTracks,
    private readonly columns: {readonly processKey: Float64Array; readonly threadId: Float64Array},
  ) {}

  /** The thread's track. */
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
