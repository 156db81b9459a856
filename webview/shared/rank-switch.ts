import type {JobRanks} from '../../src/core/job/rank-choices.js';
import type {RankRequests} from '../../src/protocol/rank-messages.js';
import {CarriedView} from './carried-view.js';

/** The extension host, as far as ranks go: the hosts of several views answer the same. */
export interface RankHost {
  ask<K extends keyof RankRequests>(method: K, params: RankRequests[K]['params']): Promise<RankRequests[K]['result']>;
}

/** The way from one rank of a job to another, which opens in its place. What was looked at goes with it. */
export class RankSwitch<T> {
  readonly #carried = new CarriedView<T>();
  #job: JobRanks | null = null;
  #key: number | null = null;
  #finding: Promise<JobRanks | null> = Promise.resolve(null);

  /** @param offer shows the ranks that can be chosen, and which one is open */
  constructor(
    private readonly host: RankHost,
    private readonly offer: (job: JobRanks | null) => void,
  ) {}

  /** The profile whose ranks are looked for or known; null for none. */
  get key(): number | null {
    return this.#key;
  }

  get job(): JobRanks | null {
    return this.#job;
  }

  /** A profile has opened. Only the way from another rank waits for the search, which looks at files beside it. */
  opened(key: number): void {
    this.#key = key;
    this.#tell(null);
    this.#finding = this.#find(key);
  }

  closed(): void {
    this.#key = null;
    this.#job = null;
  }

  /** Opens another rank. @param view what is looked at; null for nothing */
  async show(rank: number, view: T | null): Promise<void> {
    if (this.#key === null) return;
    const key = this.#key;
    if (view !== null) this.#carried.begin(this.#job, rank, view);
    const isShown = await this.host.ask('ranks/show', {key, rank}).catch(() => false);
    if (!isShown) this.#carried.drop();
    // An editor shows its own file, whichever rank opens beside it.
    if (this.#key === key) this.offer(this.#job);
  }

  /** What was looked at of the rank before; null where the profile was opened in another way. */
  async taken(): Promise<T | null> {
    return this.#carried.isUnderWay ? this.#carried.take(await this.#finding) : null;
  }

  async #find(key: number): Promise<JobRanks | null> {
    const found = await this.host.ask('ranks/list', {key}).catch(() => null);
    if (this.#key !== key) return null;
    this.#tell(found);
    return found;
  }

  #tell(job: JobRanks | null): void {
    this.#job = job;
    this.offer(job);
  }
}
