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
  #known = new WeakMap<object, Exclude<KnownFindings, null>>();
  #asked = new WeakSet();
  readonly #closing = new AbortController();

  constructor(
    private readonly findingsOf: FindingsOf,
    private readonly log: Log,
  ) {}

  /** Computes the findings for a view that waits for them, and shares them. @throws whatever the rules throw */
  readonly find: FindingsOf = async (profile, signal) => {
    const found = await this.findingsOf(profile, signal);
    this.#keep(profile, found);
    return found;
  };

  /** Returns the known findings without computing any. */
  of(profile: OpenProfile): KnownFindings {
    return this.#known.get(profile.state.summary) ?? null;
  }

  /** Computes the findings unless they are known or being computed. */
  ask(profile: OpenProfile): void {
    const {summary} = profile.state;
    if (this.#known.has(summary) || this.#asked.has(summary)) return;
    this.#asked.add(summary);
    void this.find(profile, this.#closing.signal).catch((error: unknown) => {
      if (this.#closing.signal.aborted) return;
      this.log.warn(`No findings in ${profile.name}: ${String(error)}`);
      this.#keep(profile, {problem: describeError(error, 'internal').message});
    });
  }

  /** Called when rules or dismissals have changed. */
  forget(): void {
    this.#known = new WeakMap();
    this.#asked = new WeakSet();
    this.#changed.fire();
  }

  dispose(): void {
    this.#closing.abort();
    this.#changed.dispose();
  }

  #keep({state: {summary}}: OpenProfile, found: Exclude<KnownFindings, null>): void {
    if (this.#closing.signal.aborted || this.#known.get(summary) === found) return;
    this.#known.set(summary, found);
    this.#changed.fire();
  }
}
