import * as vscode from 'vscode';

/** The folder of the user's own copy of the sample. */
const copyName = 'sample';

/**
 * "Open Sample Project": copies a small Transformer and its profile out of the extension, and opens them in a new
 * window. The user's changes to an existing copy stay.
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

/** Copies files that the target lacks. */
async function addMissing(from: vscode.Uri, to: vscode.Uri): Promise<void> {
  await vscode.workspace.fs.createDirectory(to);
  const there = new Set((await vscode.workspace.fs.readDirectory(to)).map(([name]) => name));
  for (const [name, type] of await vscode.workspace.fs.readDirectory(from)) {
    const [source, target] = [from, to].map(folder => vscode.Uri.joinPath(folder, name)) as [vscode.Uri, vscode.Uri];
    if (type === vscode.FileType.Directory) await addMissing(source, target);
    else if (!there.has(name)) await vscode.workspace.fs.copy(source, target);
  }
}
