import type * as vscode from 'vscode';
import {isRegularFile} from '../../launch/programs/regular-file.js';
import type {ProfileStore} from './profile-store.js';

const key = 'profiles.active';

/**
 * Reopens the profile that was active when the window was closed or reloaded. If it is gone or unreadable, no message
 * is shown. From then on, remembers which profile is active.
 */
export async function reopenLast(store: ProfileStore, memory: vscode.Memento): Promise<void> {
  const path = memory.get<unknown>(key);
  const isRestored = typeof path === 'string' && !store.active && (await isRegularFile(path)) && !store.active;
  const opening = isRestored ? store.openFile(path, 'free') : null;
  store.onDidChange(() => {
    const active = store.activeOpen?.path;
    const isNone = store.active === null;
    if ((active !== undefined || isNone) && memory.get<unknown>(key) !== active) void memory.update(key, active);
  });
  await opening;
}
