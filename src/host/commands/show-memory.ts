import * as vscode from 'vscode';
import {showInformation} from '../base/messages.js';
import {openMemory} from '../memory/open-memory.js';
import type {ProfileStore} from '../profiles/profile-store.js';

/** "Show Profile Memory": shows what holds the memory recorded in the active profile. */
export function showMemoryCommand(store: Pick<ProfileStore, 'activeOpen'>): () => Promise<void> {
  return async () => {
    const profile = store.activeOpen;
    if (profile) await openMemory(vscode.Uri.file(profile.path));
    else await showInformation(vscode.l10n.t('No profile is open. Open one first, then ask what holds its memory.'));
  };
}
