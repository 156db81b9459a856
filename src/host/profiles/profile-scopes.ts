import * as vscode from 'vscode';
import type {TimeWindow} from '../../core/base/time-window.js';
import type {OpenProfile, ProfileEntry} from './profile-store.js';

/** Key under which the workspace stores the scopes. */
const scopesKey = 'timeline.scopes';
/** The most scopes that are kept; the oldest are forgotten first. */
const mostKept = 20;

type Kept = readonly (readonly [identity: string, fromNs: number, toNs: number])[];

/** Returns a key that identifies a file and its version, for data stored about a profile. */
export function identityOf({path, stamp}: Pick<ProfileEntry, 'path' | 'stamp'>): string {
  return `${path} ${stamp}`;
}

/**
 * The windows of time to which profiles are narrowed: the selections in their timelines. Figures on lines and in tables
 * describe that window. Each profile has its own, also after a window reload; a file that was rewritten has none.
 */
export class ProfileScopes implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  /** Fires when the scope of a profile changed. */
  readonly onDidChange = this.#changed.event;
  readonly #windows: Map<string, TimeWindow>;

  constructor(private readonly memory: vscode.Memento) {
    this.#windows = new Map(keptIn(memory.get<unknown>(scopesKey)));
  }

  /** Returns null if figures describe the whole profile. */
  of(profile: Pick<ProfileEntry, 'path' | 'stamp'> | null): TimeWindow | null {
    return (profile && this.#windows.get(identityOf(profile))) ?? null;
  }

  /** Narrows a profile to a window; null, or a window outside the profile, removes the scope. */
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

/** Returns a window in whole ns inside the profile; null if it is outside. */
function insideOf({fromNs, toNs}: TimeWindow, spanNs: number): TimeWindow | null {
  const window = {fromNs: Math.max(0, Math.round(fromNs)), toNs: Math.min(spanNs, Math.round(toNs))};
  return window.toNs > window.fromNs ? window : null;
}

/** Returns the valid stored scopes: another version may have written them. */
function keptIn(value: unknown): [string, TimeWindow][] {
  return (Array.isArray(value) ? (value as unknown[]) : []).flatMap((entry): [string, TimeWindow][] => {
    const [identity, fromNs, toNs] = Array.isArray(entry) ? (entry as unknown[]) : [];
    const isWindow =
      Number.isSafeInteger(fromNs) && Number.isSafeInteger(toNs) && (fromNs as number) < (toNs as number);
    if (typeof identity !== 'string' || !isWindow) return [];
    return [[identity, {fromNs: fromNs as number, toNs: toNs as number}]];
  });
}
