import * as vscode from 'vscode';
import {isSnapshotFile, snapshotNames} from './is-snapshot-file.js';
import {memoryViewType, openMemory} from './open-memory.js';

/**
 * Shows a snapshot in the memory view where the text editor opens it, which only says that it is binary. The editor is
 * offered for pickles and never their default: a pickle that is no snapshot stays where it is, and so does a snapshot
 * that is taken from the memory view to another editor.
 */
export function showSnapshotsInMemoryView(): vscode.Disposable {
  return vscode.window.tabGroups.onDidChangeTabs(({opened, closed}) => {
    const left = new Set(closed.map(tab => uriOf(tab)?.toString()));
    for (const tab of opened) {
      const {input} = tab;
      if (!(input instanceof vscode.TabInputText) || !snapshotNames.test(input.uri.path)) continue;
      if (!left.has(input.uri.toString()) && !isInMemoryView(input.uri)) void replace(tab, input.uri);
    }
  });
}

function uriOf({input}: vscode.Tab): vscode.Uri | undefined {
  return input instanceof vscode.TabInputCustom && input.viewType === memoryViewType ? input.uri : undefined;
}

function isInMemoryView(uri: vscode.Uri): boolean {
  const tabs = vscode.window.tabGroups.all.flatMap(group => group.tabs);
  return tabs.some(tab => uriOf(tab)?.toString() === uri.toString());
}

async function replace(tab: vscode.Tab, uri: vscode.Uri): Promise<void> {
  if (uri.scheme !== 'file' || !(await isSnapshotFile(uri.fsPath))) return;
  await openMemory(uri);
  // Opened in the same place, the memory view may have taken the tab already.
  const isThere = vscode.window.tabGroups.all.some(group => group.tabs.includes(tab));
  if (isThere) await vscode.window.tabGroups.close(tab, true);
}
