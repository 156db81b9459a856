import * as vscode from 'vscode';
import type {InterpreterHints} from '../../launch/python/python-interpreter.js';
import {readSettings} from '../base/settings.js';
import {selectedInterpreter} from './python-extension.js';

/** Returns the editor's knowledge of interpreters for a file or folder; by default the first workspace folder. */
export async function interpreterHints(resource?: vscode.Uri): Promise<InterpreterHints> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const scope = resource ?? folders[0]?.uri;
  return {
    selected: await selectedInterpreter(scope).catch(() => null),
    setting: readSettings(scope).python,
    workspaceFolders: folders.map(({uri}) => uri.fsPath),
  };
}
