import {dirname} from 'node:path';
import * as vscode from 'vscode';
import {firstProfile} from '../../launch/run/cell-recording.js';
import type {Log} from '../base/log.js';
import {openWithProgress} from '../profiles/open-profile.js';
import type {ProfileStore} from '../profiles/profile-store.js';

/** The file that `%%gpulens` writes beside a complete recording; see `gpulens_runner/cell_magic.py`. */
const marks = '**/.gpu-lens/runs/*/cell.json';
const longestBytes = 100_000;

/** Opens what `%%gpulens` records in the workspace's notebooks, whoever ran the cell. */
export function watchCellRecordings(store: ProfileStore, log: Log): vscode.Disposable {
  const watcher = vscode.workspace.createFileSystemWatcher(marks, false, true, true);
  watcher.onDidCreate(uri => {
    open(uri, store, log).catch((error: unknown) => {
      log.warn(`${uri.fsPath} cannot be read: ${String(error)}`);
    });
  });
  return watcher;
}

async function open(mark: vscode.Uri, store: ProfileStore, log: Log): Promise<void> {
  const {size} = await vscode.workspace.fs.stat(mark);
  if (size > longestBytes) return;
  const text = Buffer.from(await vscode.workspace.fs.readFile(mark)).toString('utf8');
  const path = firstProfile(JSON.parse(text), dirname(mark.fsPath));
  if (path !== null) await openWithProgress(store, log, path);
}
