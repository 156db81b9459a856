import {maskSecrets} from '../../../core/format/mask-secrets.js';
import {basename, dirname, extname} from 'node:path';
import * as vscode from 'vscode';
import {askText} from '../../base/ask.js';
import {splitArguments} from '../../../launch/command/argument-text.js';
import {isPythonScript} from '../../../launch/python/launchers.js';
import {taskType, type ProfileDefinition} from '../../../launch/command/profile-definition.js';
import type {RunChoice, RunPlan} from '../run-plan.js';

/** Returns the Python or shell file in the editor. */
export function activeFileChoice(argumentsOf: (script: vscode.Uri) => readonly string[]): RunChoice[] {
  const document = vscode.window.activeTextEditor?.document;
  if (document?.uri.scheme !== 'file' || !/^(python|shellscript)$/.test(document.languageId)) return [];
  const args = argumentsOf(document.uri);
  return [
    {
      label: `$(file-code) ${basename(document.uri.fsPath)}`,
      description: [vscode.l10n.t('the file in the editor'), ...maskSecrets(args)].join(' '),
      plan: async () => (!document.isDirty || (await document.save()) ? planOfFile(document.uri, args) : undefined),
    },
  ];
}

/** Returns the choice to pick a file: a script, or a program whose arguments are then asked for. */
export function anyFileChoice(): RunChoice {
  return {
    label: vscode.l10n.t('$(terminal) Any script or executable…'),
    plan: async () => {
      const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
      const picked = await vscode.window.showOpenDialog({
        title: vscode.l10n.t('Script or executable to profile'),
        openLabel: vscode.l10n.t('Profile'),
        ...(folder ? {defaultUri: folder} : {}),
      });
      const file = picked?.[0];
      if (!file) return undefined;
      const args = await askText({
        title: vscode.l10n.t('Arguments of {0}', basename(file.fsPath)),
        prompt: vscode.l10n.t('As on a command line: quotes keep an argument with blanks together.'),
      });
      if (args === undefined) return undefined;
      return planOfFile(file, splitArguments(args));
    },
  };
}

/** Returns a plan that runs a file in its own folder. */
export function planOfFile(file: vscode.Uri, args: readonly string[]): RunPlan {
  const path = file.fsPath;
  return {
    definition: {type: taskType, ...commandOf(path), ...argumentsBehind(path, args), cwd: dirname(path)},
    folder: vscode.workspace.getWorkspaceFolder(file),
    preLaunchTask: null,
  };
}

function commandOf(path: string): Pick<ProfileDefinition, 'script' | 'command'> {
  if (isPythonScript(path)) return {script: path};
  // A shell script may be neither executable nor have a line that names its interpreter.
  return extname(path) === '.sh' ? {command: 'bash'} : {command: path};
}

function argumentsBehind(path: string, args: readonly string[]): Pick<ProfileDefinition, 'args'> {
  const all = extname(path) === '.sh' ? [path, ...args] : args;
  return all.length > 0 ? {args: all} : {};
}
