import type {TimeWindow} from '../../src/core/base/time-window.js';
import {EventEmitter} from './vscode-stand-in.js';

/**
 * Returns the scopes of profiles, for parts of the extension that are tested separately: all profiles have the same
 * one.
 */
export function scopesOf(window: TimeWindow | null): {
  of: () => TimeWindow | null;
  onDidChange: EventEmitter['event'];
  set: (window: TimeWindow | null) => void;
} {
  const changed = new EventEmitter();
  let now = window;
  return {
    of: () => now,
    onDidChange: changed.event,
    set(next) {
      now = next;
      changed.fire(undefined);
    },
  };
}

/** No profile is scoped to a window. */
export const noScopes = scopesOf(null);
