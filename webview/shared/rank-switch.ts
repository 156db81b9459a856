import type {JobRanks} from '../../src/core/job/rank-choices.js';
import type {RankRequests} from '../../src/protocol/rank-messages.js';
import {CarriedView} from './carried-view.js';
import {errorText} from './copied.js';

/** The extension host's requests for ranks, which the hosts of several views answer alike. */
export interface RankHost {
  ask<K extends keyof RankRequests>(method: K, params: RankRequests[K]['params']): Promise<RankRequests[K]['result']>;
}

/** Switches from one rank of a job to another, which opens in its place and shows the same view. */
export class RankSwitch<T> {
  readonly #carried = new CarriedView<T>();
  #job: JobRanks | null = null;
  #key: number | null = null;
  #finding: Promise<JobRanks | null> = Promise.resolve(null);
  #findCount = 0;

  /**
   * @param offer shows the ranks to choose from, and the open one
   * @param fail shows why a rank did not open
   */
  constructor(
    private readonly host: RankHost,
    private readonly offer: (job: JobRanks | null) => void,
    private readonly fail: (text: string) => void,
  ) {}

  /** The profile whose ranks are being searched or known; null for none. */
  get key(): number | null {
    return this.#key;
  }

  get job(): JobRanks | null {
    return this.#job;
  }

  /**
   * A profile has opened. Only a switch from another rank waits for the search, which reads files beside the profile.
   */
  opened(key: number): void {
    this.#key = key;
    this.#tell(null);
    this.#finding = this.#find(key);
  }

  /** The active job has changed. The known ranks are offered until the answer arrives. */
  changed(): void {
    if (this.#key !== null) this.#finding = this.#find(this.#key);
  }

  closed(): void {
    this.#key = null;
    this.#job = null;
  }

  /** Opens another rank; returns whether it opened. @param view the current view; null for none */
  async show(rank: number, view: T | null): Promise<boolean> {
    if (this.#key === null) return false;
    const key = this.#key;
    if (view !== null) this.#carried.begin(this.#job, rank, view);
    const isShown = await this.host.ask('ranks/show', {key, rank}).catch((error: unknown) => {
      if (this.#key === key) this.fail(errorText(error));
      return false;
    });
    if (!isShown) this.#carried.drop();
    // An editor stays with its own file, whichever rank opens beside it.
    if (this.#key === key) this.offer(this.#job);
    return isShown;
  }

  /** Returns the view of the rank before; null if the profile was opened in another way. */
  async taken(): Promise<T | null> {
    return this.#carried.isUnderWay ? this.#carried.take(await this.#finding) : null;
  }

  async #find(key: number): Promise<JobRanks | null> {
    const count = ++this.#findCount;
    const found = await this.host.ask('ranks/list', {key}).catch(() => null);
    if (this.#key !== key) return null;
    // The answer from before a change may arrive last, because it may read a folder.
    if (count === this.#findCount) this.#tell(found);
    return found;
  }

  #tell(job: JobRanks | null): void {
    this.#job = job;
    this.offer(job);
  }
}
