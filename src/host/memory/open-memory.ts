import * as vscode from 'vscode';

/** The editor of memory snapshots. */
export const memoryViewType = 'gpuLens.memory';

/** Shows a snapshot in the memory view. */
export async function openMemory(uri: vscode.Uri): Promise<void> {
  await vscode.commands.executeCommand('vscode.openWith', uri, memoryViewType);
}
