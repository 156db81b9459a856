import type {JobRanks} from '../../src/core/job/rank-choices.js';

/** The view of one rank on its way to another rank of its job. Anything else that opens meanwhile does not get it. */
export class CarriedView<T> {
  #carried: {readonly file: string; readonly view: T} | null = null;

  get isUnderWay(): boolean {
    return this.#carried !== null;
  }

  /** @param job of the shown profile */
  begin(job: JobRanks | null, rank: number, view: T): void {
    const file = job ? fileOf(job, rank) : undefined;
    this.#carried = file === undefined ? null : {file, view};
  }

  /** The other rank did not open. */
  drop(): void {
    this.#carried = null;
  }

  /** Returns the view carried to a profile, once; null if it is not the requested rank. @param job of the profile */
  take(job: JobRanks | null): T | null {
    const carried = this.#carried;
    if (!carried || !job || fileOf(job, job.shown) !== carried.file) return null;
    this.#carried = null;
    return carried.view;
  }
}

function fileOf({ranks, files}: JobRanks, rank: number): string | undefined {
  return files[ranks.indexOf(rank)];
}
