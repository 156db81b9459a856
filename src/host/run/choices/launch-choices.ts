import {homedir} from 'node:os';
import * as vscode from 'vscode';
import {canProfile, readLaunchConfiguration, variablesToAsk} from '../../../launch/command/launch-configuration.js';
import type {RunChoice, RunPlan} from '../run-plan.js';

/** The launch configurations of all workspace folders that start a program, a module or an executable. */
export function launchChoices(): RunChoice[] {
  return (vscode.workspace.workspaceFolders ?? []).flatMap(folder => {
    const all = vscode.workspace.getConfiguration('launch', folder.uri).get<unknown>('configurations');
    return (Array.isArray(all) ? all : []).filter(canProfile).map(configuration => ({
      label: `$(debug-alt) ${String(configuration['name'])}`,
      description: String(configuration['module'] ?? configuration['program']),
      plan: () => planOf(configuration, folder),
    }));
  });
}

/** @throws TraceError where a variable has no value here */
async function planOf(
  configuration: Readonly<Record<string, unknown>>,
  folder: vscode.WorkspaceFolder,
): Promise<RunPlan> {
  const document = vscode.window.activeTextEditor?.document;
  const {definition, preLaunchTask} = readLaunchConfiguration(configuration, {
    workspaceFolder: folder.uri.fsPath,
    file: document?.uri.scheme === 'file' ? document.uri.fsPath : null,
    home: homedir(),
    env: process.env,
    editor: await askEditor(variablesToAsk(configuration), folder),
  });
  return {definition, folder, preLaunchTask};
}

/** The values of `command:…`, by running it, and of `config:…`; those without a text are left out. */
async function askEditor(
  names: readonly string[],
  folder: vscode.WorkspaceFolder,
): Promise<ReadonlyMap<string, string>> {
  const values = new Map<string, string>();
  for (const name of names) {
    const key = name.replace(/^\w+:/, '');
    const value: unknown = name.startsWith('command:')
      ? await vscode.commands.executeCommand(key).then(
          result => result,
          () => undefined,
        )
      : vscode.workspace.getConfiguration(undefined, folder.uri).get<unknown>(key);
    if (/^(string|number|boolean)$/.test(typeof value)) values.set(name, String(value));
  }
  return values;
}
