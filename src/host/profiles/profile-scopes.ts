import * as vscode from 'vscode';
import type {TimeWindow} from '../../core/base/time-window.js';
import type {OpenProfile, ProfileEntry} from './profile-store.js';

/** What the scopes are kept under, with the workspace. */
const scopesKey = 'timeline.scopes';
/** Scopes of more profiles than this are forgotten, the oldest first. */
const mostKept = 20;

type Kept = readonly (readonly [identity: string, fromNs: number, toNs: number])[];

/** Tells files apart, and versions of one: what is remembered of a profile is remembered under this. */
export function identityOf({path, stamp}: Pick<ProfileEntry, 'path' | 'stamp'>): string {
  return `${path} ${stamp}`;
}

/**
 * The windows of time that profiles are scoped to: what is marked in a profile's timeline. Figures on lines and in tables
 * are of that window. Each profile has its own, over a reload of the window too; a file that was written anew has none.
 */
export class ProfileScopes implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  /** Some profile has another scope than before. */
  readonly onDidChange = this.#changed.event;
  readonly #windows: Map<string, TimeWindow>;

  constructor(private readonly memory: vscode.Memento) {
    this.#windows = new Map(keptIn(memory.get<unknown>(scopesKey)));
  }

  /** Null where figures are of the whole profile. */
  of(profile: Pick<ProfileEntry, 'path' | 'stamp'> | null): TimeWindow | null {
    return (profile && this.#windows.get(identityOf(profile))) ?? null;
  }

  /** Scopes a profile to a window, or, with null or what is no window of it, to none. */
  set(profile: OpenProfile, window: TimeWindow | null): void {
    const identity = identityOf(profile);
    const inside = window && insideOf(window, profile.state.summary.info.spanNs);
    this.#windows.delete(identity);
    if (inside) this.#windows.set(identity, inside);
    for (const oldest of this.#windows.keys()) if (this.#windows.size > mostKept) this.#windows.delete(oldest);
    const kept: Kept = [...this.#windows].map(([of, {fromNs, toNs}]) => [of, fromNs, toNs]);
    void this.memory.update(scopesKey, kept);
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

/** A window in whole ns inside the profile; null where nothing of it is. */
function insideOf({fromNs, toNs}: TimeWindow, spanNs: number): TimeWindow | null {
  const window = {fromNs: Math.max(0, Math.round(fromNs)), toNs: Math.min(spanNs, Math.round(toNs))};
  return window.toNs > window.fromNs ? window : null;
}

/** What was kept, as far as it has the form: an earlier or later version may have written it. */
function keptIn(value: unknown): [string, TimeWindow][] {
  return (Array.isArray(value) ? (value as unknown[]) : []).flatMap((entry): [string, TimeWindow][] => {
    const [identity, fromNs, toNs] = Array.isArray(entry) ? (entry as unknown[]) : [];
    const isWindow =
      Number.isSafeInteger(fromNs) && Number.isSafeInteger(toNs) && (fromNs as number) < (toNs as number);
    if (typeof identity !== 'string' || !isWindow) return [];
    return [[identity, {fromNs: fromNs as number, toNs: toNs as number}]];
  });
}
