import * as vscode from 'vscode';
import {isSnapshotFile, snapshotNames} from './is-snapshot-file.js';
import {memoryViewType, openMemory} from './open-memory.js';

/**
 * Shows a snapshot in the memory view if the text editor opens it, which only says that it is binary. The memory view
 * is not the default editor of pickles: a pickle that is no snapshot keeps its editor, as does a snapshot that the
 * user reopened from the memory view in another editor.
 */
export function showSnapshotsInMemoryView(): vscode.Disposable {
  const underWay = new Set<string>();
  const look = (tabs: readonly vscode.Tab[], left: ReadonlySet<string>) => {
    for (const {input} of tabs) {
      if (!(input instanceof vscode.TabInputText) || !snapshotNames.test(input.uri.path)) continue;
      const key = input.uri.toString();
      if (underWay.has(key) || left.has(key) || tabsOf(key, isMemoryTab).length > 0) continue;
      underWay.add(key);
      void replace(input.uri).finally(() => underWay.delete(key));
    }
  };
  // After a window reload there may already be such a tab.
  look(tabsOf(null, isTextTab), new Set());
  return vscode.window.tabGroups.onDidChangeTabs(({opened, changed, closed}) => {
    const left = closed.filter(isMemoryTab).map(({input}) => (input as vscode.TabInputCustom).uri.toString());
    look([...opened, ...changed], new Set(left));
  });
}

function isTextTab({input}: vscode.Tab): boolean {
  return input instanceof vscode.TabInputText;
}

function isMemoryTab({input}: vscode.Tab): boolean {
  return input instanceof vscode.TabInputCustom && input.viewType === memoryViewType;
}

/** Returns the tabs of a kind that show a file; null means any file. */
function tabsOf(key: string | null, isOfKind: (tab: vscode.Tab) => boolean): vscode.Tab[] {
  const tabs = vscode.window.tabGroups.all.flatMap(group => group.tabs).filter(isOfKind);
  return tabs.filter(({input}) => key === null || (input as vscode.TabInputText).uri.toString() === key);
}

async function replace(uri: vscode.Uri): Promise<void> {
  if (uri.scheme !== 'file' || !(await isSnapshotFile(uri.fsPath))) return;
  await openMemory(uri);
  // The memory view may have replaced the tab already.
  await vscode.window.tabGroups.close(tabsOf(uri.toString(), isTextTab), true);
}
