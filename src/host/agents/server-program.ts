import * as vscode from 'vscode';
import type {ServerProgram} from '../../launch/mcp/call-tool.js';

/**
 * Returns the program of the server of the Model Context Protocol for the workspace's folders; null without a folder.
 *
 * @param allowed commands that it may run
 */
export function serverProgram(extensionUri: vscode.Uri, allowed: readonly string[]): ServerProgram | null {
  const roots = (vscode.workspace.workspaceFolders ?? []).map(({uri}) => uri.fsPath);
  const [cwd] = roots;
  if (cwd === undefined) return null;
  return {
    program: process.execPath,
    args: [
      vscode.Uri.joinPath(extensionUri, 'dist', 'cli.cjs').fsPath,
      'mcp',
      ...roots.map(root => `--root=${root}`),
      ...allowed.map(command => `--allow-run=${command}`),
    ],
    cwd,
    // Where this process is Electron, that makes a Node of it.
    env: {...process.env, ELECTRON_RUN_AS_NODE: '1'},
  };
}
