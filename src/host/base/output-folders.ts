import {isAbsolute, join} from 'node:path';
import * as vscode from 'vscode';
import {readSettings} from './settings.js';

/**
 * Returns the output folders of the workspace's folders, each once. Empty if the workspace is not trusted, since a
 * stranger's folder could hold anything.
 */
export function outputFolders(): string[] {
  const folders = vscode.workspace.isTrusted ? (vscode.workspace.workspaceFolders ?? []) : [];
  return folders
    .map(({uri}) => {
      const {outputFolder} = readSettings(uri);
      return isAbsolute(outputFolder) ? outputFolder : join(uri.fsPath, outputFolder);
    })
    .filter((output, at, all) => all.indexOf(output) === at);
}
