import * as vscode from 'vscode';
import {isFolder} from '../base/is-folder.js';
import type {Log} from '../base/log.js';
import {profileEndings} from '../base/profile-endings.js';
import {selectedPaths} from '../job/open-job.js';
import {isSnapshotFile} from '../memory/is-snapshot-file.js';
import {openMemory} from '../memory/open-memory.js';
import {openWithProgress} from '../profiles/open-profile.js';
import type {ProfileEntry, ProfileStore} from '../profiles/profile-store.js';
import {TimelineView} from '../views/timeline-view.js';
import type {ViewPanel} from '../views/view-panel.js';

export interface OpenProfileServices {
  readonly store: ProfileStore;
  readonly log: Log;
  readonly tables: ViewPanel;
  /** Shows the summary of a profile that has been opened, if the setting asks for it. */
  readonly showSummary: () => void;
  /** Reads files, folders or a zip as one job, and shows it. */
  readonly openJob: (paths: readonly string[]) => Promise<void>;
}

/**
 * "Open Profile…": from the palette with a dialog, from the explorer with its selection. Several files, a folder or a
 * zip are a job.
 */
export function openProfileCommand({
  store,
  log,
  tables,
  showSummary,
  openJob,
}: OpenProfileServices): (uri?: unknown, uris?: unknown) => Promise<void> {
  return async (uri, uris) => {
    const selected = selectedPaths(uri, uris);
    const paths = selected.length > 0 ? selected : await pickFiles();
    const [path] = paths;
    if (path === undefined) return;
    if (paths.length > 1 || /\.zip$/i.test(path) || (await isFolder(path))) {
      await openJob(paths);
      return;
    }
    if (await isSnapshotFile(path)) {
      await openMemory(vscode.Uri.file(path));
      return;
    }
    const early = store.onDidChange(() => {
      if (!isBeingDrawn(store.active, path)) return;
      early.dispose();
      void TimelineView.show();
    });
    const entry = await openWithProgress(store, log, path);
    early.dispose();
    // A text has tables and no time.
    if (entry?.state.kind === 'open' && entry.state.summary.info.tables) tables.show();
    else if (entry) {
      await TimelineView.show();
      showSummary();
    }
  };
}

/** Whether the timeline draws what was read so far of a file. */
function isBeingDrawn(active: ProfileEntry | null, path: string): boolean {
  return active?.path === path && active.state.kind === 'opening' && active.state.picture !== null;
}

/** Asks for a file in a dialog; undefined if nothing was chosen. */
export async function pickFile(title: string, openLabel: string): Promise<string | undefined> {
  return (await pickFiles(title, openLabel, false))[0];
}

/** Asks for files in a dialog, several are a job; none if nothing was chosen. */
async function pickFiles(
  title = vscode.l10n.t('Open Profile'),
  openLabel = title,
  canSelectMany = true,
): Promise<string[]> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const uris =
    (await vscode.window.showOpenDialog({
      title,
      openLabel,
      canSelectMany,
      ...(folder ? {defaultUri: folder} : {}),
      filters: {
        [vscode.l10n.t('Profiles')]: [...profileEndings, ...(canSelectMany ? ['zip'] : [])],
        [vscode.l10n.t('All files')]: ['*'],
      },
    })) ?? [];
  return uris.map(({fsPath}) => fsPath);
}
