import {createHash} from 'node:crypto';
import {homedir} from 'node:os';
import * as vscode from 'vscode';
import {canProfile, readLaunchConfiguration, variablesToAsk} from '../../../launch/command/launch-configuration.js';
import type {RunChoice, RunOrigin, RunPlan} from '../run-plan.js';

type LaunchOrigin = Extract<RunOrigin, {from: 'launch configuration'}>;
type Configuration = Readonly<Record<string, unknown>>;

/** Returns the launch configurations of all workspace folders that start a program, a module or an executable. */
export function launchChoices(): RunChoice[] {
  return (vscode.workspace.workspaceFolders ?? []).flatMap(folder =>
    configurationsOf(folder).map(configuration => ({
      label: `$(debug-alt) ${String(configuration['name'])}`,
      description: String(configuration['module'] ?? configuration['program']),
      plan: () => planOf(configuration, folder, fileInEditor()),
    })),
  );
}

/**
 * Returns the current plan of the launch configuration that a run was chosen from: "same" if it has not changed,
 * "gone" if there is none of its name.
 *
 * @throws TraceError if a variable has no value here
 */
export async function launchPlanNow(
  {name, digest, file}: LaunchOrigin,
  folder: vscode.WorkspaceFolder,
): Promise<RunPlan | 'same' | 'gone'> {
  const configuration = configurationsOf(folder).find(one => one['name'] === name);
  if (!configuration) return 'gone';
  return digestOf(configuration) === digest ? 'same' : planOf(configuration, folder, file);
}

function configurationsOf(folder: vscode.WorkspaceFolder): Configuration[] {
  const all = vscode.workspace.getConfiguration('launch', folder.uri).get<unknown>('configurations');
  return (Array.isArray(all) ? all : []).filter(canProfile);
}

function fileInEditor(): string | null {
  const document = vscode.window.activeTextEditor?.document;
  return document?.uri.scheme === 'file' ? document.uri.fsPath : null;
}

function digestOf(configuration: Configuration): string {
  return createHash('sha256').update(JSON.stringify(configuration)).digest('hex');
}

/** @throws TraceError if a variable has no value here */
async function planOf(
  configuration: Configuration,
  folder: vscode.WorkspaceFolder,
  file: string | null,
): Promise<RunPlan> {
  const {definition, preLaunchTask} = readLaunchConfiguration(configuration, {
    workspaceFolder: folder.uri.fsPath,
    file,
    home: homedir(),
    env: process.env,
    editor: await askEditor(variablesToAsk(configuration), folder),
  });
  const name = String(configuration['name']);
  const origin: LaunchOrigin = {from: 'launch configuration', name, digest: digestOf(configuration), file};
  return {definition, folder, preLaunchTask, origin};
}

/** Returns the values of `command:…`, by running it, and of `config:…`; those that are not strings are left out. */
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
