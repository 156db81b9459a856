import {homedir} from 'node:os';
import * as vscode from 'vscode';
import {canProfile, readLaunchConfiguration} from '../../../launch/launch-configuration.js';
import type {RunChoice, RunPlan} from '../run-plan.js';

/** The launch configurations of all workspace folders that start a program, a module or an executable. */
export function launchChoices(): RunChoice[] {
  return (vscode.workspace.workspaceFolders ?? []).flatMap(folder => {
    const all = vscode.workspace.getConfiguration('launch', folder.uri).get<unknown>('configurations');
    return (Array.isArray(all) ? all : []).filter(canProfile).map(configuration => ({
      label: `$(debug-alt) ${String(configuration['name'])}`,
      description: String(configuration['module'] ?? configuration['program']),
      plan: () => Promise.resolve().then(() => planOf(configuration, folder)),
    }));
  });
}

/** @throws TraceError where a variable has no value here */
function planOf(configuration: Readonly<Record<string, unknown>>, folder: vscode.WorkspaceFolder): RunPlan {
  const document = vscode.window.activeTextEditor?.document;
  const {definition, preLaunchTask} = readLaunchConfiguration(configuration, {
    workspaceFolder: folder.uri.fsPath,
    file: document?.uri.scheme === 'file' ? document.uri.fsPath : null,
    home: homedir(),
    env: process.env,
  });
  return {definition, folder, preLaunchTask};
}
