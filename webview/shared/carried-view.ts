import type {JobRanks} from '../../src/core/job/rank-choices.js';

/** What was looked at of one rank, on the way to another of its job: whatever else opens meanwhile has no part in it. */
export class CarriedView<T> {
  #carried: {readonly file: string; readonly view: T} | null = null;

  get isUnderWay(): boolean {
    return this.#carried !== null;
  }

  /** @param job that of the profile that is looked at */
  begin(job: JobRanks | null, rank: number, view: T): void {
    const file = job ? fileOf(job, rank) : undefined;
    this.#carried = file === undefined ? null : {file, view};
  }

  /** The other rank did not open. */
  drop(): void {
    this.#carried = null;
  }

  /** What is carried to a profile, once; null where it is not the rank that was asked for. @param job that of the profile */
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
