import {basename} from 'node:path';
import type * as vscode from 'vscode';
import type {LineDetails} from '../../core/lines/line-details.js';
import type {LineTiming} from '../../core/lines/line-timings.js';
import type {NamePattern} from '../../core/names/name-pattern.js';
import type {EngineClient} from '../../engine/client.js';
import {earlierTrace} from '../../launch/history/earlier-run.js';
import type {ProfileId} from '../../protocol/engine-messages.js';
import type {Log} from '../base/log.js';
import type {OpenProfile, ProfileStore} from '../profiles/profile-store.js';

/** The previous run, if it is known and could be read. */
interface Opened {
  readonly path: string;
  readonly id: ProfileId;
}

/** The previous run of the active profile's script, opened beside it to compare lines. */
export class EarlierRun implements vscode.Disposable {
  readonly #listener: vscode.Disposable;
  #key: number | null = null;
  #opening: Promise<Opened | null> = Promise.resolve(null);
  #cancel = new AbortController();

  constructor(
    store: ProfileStore,
    private readonly engine: EngineClient,
    private readonly log: Log,
  ) {
    this.#listener = store.onDidChange(() => {
      if ((store.activeOpen?.key ?? null) !== this.#key) this.#close();
    });
  }

  /** Returns the path of the profile that a profile is compared with; null for none. */
  async path(profile: OpenProfile): Promise<string | null> {
    return (await this.#of(profile))?.path ?? null;
  }

  /** Returns the timings of lines in the previous run, per step; null if there is none. */
  async timings(
    profile: OpenProfile,
    patterns: readonly (readonly NamePattern[])[],
  ): Promise<readonly LineTiming[] | null> {
    const earlier = await this.#of(profile);
    if (!earlier) return null;
    return this.engine.ask('lines/timings', {profile: earlier.id, patterns, of: 'steps'}).catch(() => null);
  }

  /** Returns the previous run's details of ranges with these names, per step; null if there is none. */
  async details(profile: OpenProfile, patterns: readonly NamePattern[]): Promise<LineDetails | null> {
    const earlier = await this.#of(profile);
    return earlier && this.engine.ask('lines/details', {profile: earlier.id, patterns, of: 'steps'});
  }

  dispose(): void {
    this.#close();
    this.#listener.dispose();
  }

  #of(profile: OpenProfile): Promise<Opened | null> {
    if (this.#key !== profile.key) {
      this.#close();
      this.#key = profile.key;
      this.#opening = this.#open(profile, this.#cancel.signal);
    }
    return this.#opening;
  }

  async #open({path, state}: OpenProfile, signal: AbortSignal): Promise<Opened | null> {
    // With one step there is no noise estimate.
    if (state.summary.steps.length < 2) return null;
    const earlier = await earlierTrace(path);
    if (earlier === null || signal.aborted) return null;
    try {
      const {id} = await this.engine.open({path: earlier}, {signal});
      this.log.info(`${basename(path)} is compared with ${earlier}`);
      return {path: earlier, id};
    } catch (error) {
      this.log.info(`${basename(path)} is compared with no run before: ${String(error)}`);
      return null;
    }
  }

  #close(): void {
    this.#cancel.abort();
    this.#cancel = new AbortController();
    this.#key = null;
    // Frees its memory for other profiles.
    void this.#opening.then(opened => {
      if (opened) void this.engine.ask('profile/close', {profile: opened.id}).catch(() => undefined);
    });
    this.#opening = Promise.resolve(null);
  }
}
