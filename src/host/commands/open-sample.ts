import * as vscode from 'vscode';

/** Where a copy of the sample lies, which the person may change. */
const copyName = 'sample';

/**
 * "Open Sample Project": a small Transformer with a profile of it, copied out of the extension and opened in a window of
 * its own. What somebody changed in their copy stays.
 */
export function openSampleCommand({
  extensionUri,
  globalStorageUri,
}: Pick<vscode.ExtensionContext, 'extensionUri' | 'globalStorageUri'>): () => Promise<void> {
  return async () => {
    const copy = vscode.Uri.joinPath(globalStorageUri, copyName);
    await addMissing(vscode.Uri.joinPath(extensionUri, 'media', 'sample'), copy);
    await vscode.commands.executeCommand('vscode.openFolder', copy, {forceNewWindow: true});
  };
}

/** Copies what the target does not have yet. */
async function addMissing(from: vscode.Uri, to: vscode.Uri): Promise<void> {
  await vscode.workspace.fs.createDirectory(to);
  const there = new Set((await vscode.workspace.fs.readDirectory(to)).map(([name]) => name));
  for (const [name, type] of await vscode.workspace.fs.readDirectory(from)) {
    const [source, target] = [from, to].map(folder => vscode.Uri.joinPath(folder, name)) as [vscode.Uri, vscode.Uri];
    if (type === vscode.FileType.Directory) await addMissing(source, target);
    else if (!there.has(name)) await vscode.workspace.fs.copy(source, target);
  }
}
