import * as vscode from 'vscode';
import {describeError} from '../../core/base/errors.js';
import type {ProfileFindings} from '../../core/findings/findings-page.js';
import type {Log} from '../base/log.js';
import type {OpenProfile} from '../profiles/profile-store.js';
import type {FindingsOf} from '../query/profile-findings.js';

/** The known findings of a profile; null while they are being searched. */
export type KnownFindings = ProfileFindings | {readonly problem: string} | null;

/** The findings of open profiles, computed once for the summary, the side bar and lines. */
export class FindingsStore implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  /** Fires when a profile's findings become known, or may have changed. */
  readonly onDidChange = this.#changed.event;
  readonly #known = new WeakMap<object, Exclude<KnownFindings, null>>();
  /** Profiles whose findings are known, or being computed, with the rules and dismissals as they are now. */
  #current = new WeakSet();
  readonly #closing = new AbortController();

  constructor(
    private readonly findingsOf: FindingsOf,
    private readonly log: Log,
  ) {}

  /** Computes the findings for a view that waits for them, and shares them. @throws whatever the rules throw */
  readonly find: FindingsOf = async (profile, signal) => {
    const current = this.#current;
    const found = await this.findingsOf(profile, signal);
    this.#keep(profile, found, current);
    return found;
  };

  /** Returns the known findings without computing any; outdated ones until they have been computed again. */
  of(profile: OpenProfile): KnownFindings {
    return this.#known.get(profile.state.summary) ?? null;
  }

  /** Computes the findings unless they are known or being computed; again once they are outdated. */
  ask(profile: OpenProfile): void {
    const {summary} = profile.state;
    const current = this.#current;
    if (current.has(summary)) return;
    current.add(summary);
    void this.find(profile, this.#closing.signal).catch((error: unknown) => {
      if (this.#closing.signal.aborted) return;
      this.log.warn(`No findings in ${profile.name}: ${String(error)}`);
      this.#keep(profile, {problem: describeError(error, 'internal').message}, current);
    });
  }

  /** Called when rules or dismissals have changed: known findings are outdated, and computed again when asked for. */
  forget(): void {
    this.#current = new WeakSet();
    this.#changed.fire();
  }

  dispose(): void {
    this.#closing.abort();
    this.#changed.dispose();
  }

  /** @param current what was current when these findings were asked for */
  #keep({state: {summary}}: OpenProfile, found: Exclude<KnownFindings, null>, current: WeakSet<object>): void {
    if (this.#closing.signal.aborted) return;
    const known = this.#known.get(summary);
    // An answer from before a change must not replace a later one.
    if (known && current !== this.#current) return;
    current.add(summary);
    if (known === found) return;
    this.#known.set(summary, found);
    this.#changed.fire();
  }
}
