import * as vscode from 'vscode';
import type {InterpreterHints} from '../../launch/python/python-interpreter.js';
import {readSettings} from '../base/settings.js';
import {selectedInterpreter} from './python-extension.js';

/** What the editor knows of interpreters for a file or folder; for the first workspace folder where none is named. */
export async function interpreterHints(resource?: vscode.Uri): Promise<InterpreterHints> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const scope = resource ?? folders[0]?.uri;
  return {
    selected: await selectedInterpreter(scope).catch(() => null),
    setting: readSettings(scope).python,
    workspaceFolders: folders.map(({uri}) => uri.fsPath),
  };
}
