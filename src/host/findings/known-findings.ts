import * as vscode from 'vscode';
import {describeError} from '../../core/base/errors.js';
import type {ProfileFindings} from '../../core/findings/findings-page.js';
import type {Log} from '../base/log.js';
import type {OpenProfile} from '../profiles/profile-store.js';
import type {FindingsOf} from '../query/profile-findings.js';

/** What is known of a profile's findings: null while they are looked for. */
export type KnownFindings = ProfileFindings | {readonly problem: string} | null;

/** The findings of open profiles, found once for all that show them: the summary, the side bar, lines. */
export class FindingsStore implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  /** Findings of a profile are known, or may be others. */
  readonly onDidChange = this.#changed.event;
  #known = new WeakMap<object, Exclude<KnownFindings, null>>();
  #asked = new WeakSet();
  readonly #closing = new AbortController();

  constructor(
    private readonly findingsOf: FindingsOf,
    private readonly log: Log,
  ) {}

  /** Finds them for a view that waits for them, which everybody then knows. @throws whatever the rules throw */
  readonly find: FindingsOf = async (profile, signal) => {
    const found = await this.findingsOf(profile, signal);
    this.#keep(profile, found);
    return found;
  };

  /** What is known; nothing is looked for. */
  of(profile: OpenProfile): KnownFindings {
    return this.#known.get(profile.state.summary) ?? null;
  }

  /** Looks for them, unless they are known or are being looked for. */
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

  /** Rules or dismissals have changed. */
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
