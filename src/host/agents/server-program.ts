import * as vscode from 'vscode';
import type {ServerProgram} from '../../launch/mcp/call-tool.js';
import {findPython} from '../../launch/python/python-interpreter.js';
import {interpreterHints} from '../run/interpreter.js';

/**
 * Returns the program of the server of the Model Context Protocol for the workspace's folders; null without a folder.
 *
 * @param allowed commands that it may run
 * @param python the interpreter of these commands; null for the first on PATH
 */
export function serverProgram(
  extensionUri: vscode.Uri,
  allowed: readonly string[],
  python: string | null,
): ServerProgram | null {
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
      ...(python === null ? [] : [`--python=${python}`]),
    ],
    cwd,
    // If this process is Electron, the variable makes it run as Node.
    env: {...process.env, ELECTRON_RUN_AS_NODE: '1'},
  };
}

/** Returns the interpreter that the user selected, as for every other run; null if none is found. */
export async function runInterpreter(): Promise<string | null> {
  const found = await findPython(await interpreterHints()).catch(() => null);
  return found?.path ?? null;
}
