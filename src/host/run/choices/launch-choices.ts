import {readFile} from 'node:fs/promises';
import {homedir} from 'node:os';
import * as vscode from 'vscode';
import {TraceError} from '../../../core/errors.js';
import {parseEnvFile} from '../../../launch/env-file.js';
import {canProfile, readLaunchConfiguration} from '../../../launch/launch-configuration.js';
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

/** @throws TraceError where a variable has no value here, or the file of variables cannot be read */
async function planOf(
  configuration: Readonly<Record<string, unknown>>,
  folder: vscode.WorkspaceFolder,
): Promise<RunPlan> {
  const document = vscode.window.activeTextEditor?.document;
  const {definition, envFile, preLaunchTask} = readLaunchConfiguration(configuration, {
    workspaceFolder: folder.uri.fsPath,
    file: document?.uri.scheme === 'file' ? document.uri.fsPath : null,
    home: homedir(),
    env: process.env,
  });
  const fromFile = envFile === null ? {} : await variablesOf(envFile);
  return {definition: {...definition, env: {...fromFile, ...definition.env}}, folder, preLaunchTask};
}

async function variablesOf(envFile: string): Promise<Record<string, string>> {
  try {
    return parseEnvFile(await readFile(envFile, 'utf8'));
  } catch (cause) {
    throw new TraceError('launch/not-started', `${envFile}, the envFile of the configuration, cannot be read.`, {
      cause,
    });
  }
}
