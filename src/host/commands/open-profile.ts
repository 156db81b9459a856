import * as vscode from 'vscode';
import type {Log} from '../base/log.js';
import {profileEndings} from '../base/profile-endings.js';
import {isSnapshotFile} from '../memory/is-snapshot-file.js';
import {openMemory} from '../memory/open-memory.js';
import {openWithProgress} from '../profiles/open-profile.js';
import type {ProfileStore} from '../profiles/profile-store.js';
import {TimelineView} from '../views/timeline-view.js';
import type {ViewPanel} from '../views/view-panel.js';

/**
 * "Open Profile…": from the palette with a dialog, from the explorer with the file under the mouse.
 *
 * @param showSummary shows the summary of a profile that has been opened, where that is wanted
 */
export function openProfileCommand(
  store: ProfileStore,
  log: Log,
  tables: ViewPanel,
  showSummary: () => void,
): (uri?: unknown) => Promise<void> {
  return async uri => {
    const path = uri instanceof vscode.Uri ? uri.fsPath : await pickFile();
    if (path === undefined) return;
    if (await isSnapshotFile(path)) {
      await openMemory(vscode.Uri.file(path));
      return;
    }
    const entry = await openWithProgress(store, log, path);
    // A text has tables and no time.
    if (entry?.state.kind === 'open' && entry.state.summary.info.tables) tables.show();
    else if (entry) {
      await TimelineView.show();
      showSummary();
    }
  };
}

/** Asks for a file in a dialog; undefined if nothing was chosen. */
export async function pickFile(title = 'Open Profile', openLabel = 'Open Profile'): Promise<string | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const [uri] =
    (await vscode.window.showOpenDialog({
      title,
      openLabel,
      ...(folder ? {defaultUri: folder} : {}),
      filters: {
        Profiles: [...profileEndings],
        'All files': ['*'],
      },
    })) ?? [];
  return uri?.fsPath;
}
