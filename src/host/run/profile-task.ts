import {homedir} from 'node:os';
import {isAbsolute, join} from 'node:path';
import * as vscode from 'vscode';
import {
  crossChecker,
  definitionArguments,
  definitionName,
  taskType,
  type ProfileDefinition,
} from '../../launch/command/profile-definition.js';
import {findPython} from '../../launch/python/python-interpreter.js';
import {runEnvironment} from '../../launch/command/run-environment.js';
import {withUsualProfiler} from '../../launch/command/usual-profiler.js';
import type {VariableValues} from '../../launch/command/variables.js';
import {readSettings} from '../base/settings.js';
import {interpreterHints} from './interpreter.js';

/** The source shown for the extension's tasks. */
export const taskSource = 'GPU Lens';

/** What every task needs from the extension. */
export interface TaskSurroundings {
  readonly extensionUri: vscode.Uri;
  /** The folder in which runs' processes write their messages. */
  readonly messages: string;
}

/**
 * Creates the task that profiles a definition: the command line's `profile` in the terminal, started without a shell.
 *
 * @throws TraceError `launch/no-python`, `launch/not-started`
 */
export async function createProfileTask(
  asked: ProfileDefinition,
  folder: vscode.WorkspaceFolder | undefined,
  surroundings: TaskSurroundings,
): Promise<vscode.Task> {
  const definition = await withUsualProfiler(asked, variableValues(asked, folder));
  // An executable under nsys needs no interpreter.
  if (definition.command !== undefined && definition.profiler === 'nsys') {
    return createProvidedTask(definition, folder, surroundings);
  }
  const python = definition.python ?? (await interpreterOf(folder));
  return taskWith(python, definition, folder, surroundings);
}

/**
 * Creates the same task when there may be no interpreter: the task then reports that when it is run.
 *
 * @throws TraceError `launch/not-started`
 */
export async function createProvidedTask(
  asked: ProfileDefinition,
  folder: vscode.WorkspaceFolder | undefined,
  surroundings: TaskSurroundings,
): Promise<vscode.Task> {
  const definition = await withUsualProfiler(asked, variableValues(asked, folder));
  const otherwise = process.platform === 'win32' ? 'python' : 'python3';
  const python = definition.python ?? (await interpreterOf(folder).catch(() => otherwise));
  return taskWith(python, definition, folder, surroundings);
}

/** @throws TraceError `launch/no-python` */
async function interpreterOf(folder: vscode.WorkspaceFolder | undefined): Promise<string> {
  return (await findPython(await interpreterHints(folder?.uri))).path;
}

async function taskWith(
  python: string,
  definition: ProfileDefinition,
  folder: vscode.WorkspaceFolder | undefined,
  {extensionUri, messages}: TaskSurroundings,
): Promise<vscode.Task> {
  const settings = readSettings(folder?.uri);
  const values = variableValues(definition, folder);
  const root = values.workspaceFolder;
  const own = definitionArguments(definition, {
    python,
    recording: settings.recording,
    profiler: settings.profiler,
    capture: settings.nsysCapture,
    nsysOptions: settings.nsysOptions,
    launchTemplate: settings.launchTemplate,
    output: isAbsolute(settings.outputFolder) ? settings.outputFolder : join(root, settings.outputFolder),
  });
  const environment = await runEnvironment(definition, values);
  const cli = vscode.Uri.joinPath(extensionUri, 'dist', 'cli.cjs').fsPath;
  const execution = new vscode.ProcessExecution(
    process.execPath,
    [
      cli,
      definition.profiler === crossChecker ? crossChecker : 'profile',
      `--messages=${messages}`,
      `--root=${root}`,
      ...own,
    ],
    // If this process is Electron, the variable makes it run as Node.
    {
      cwd: definition.cwd ?? root,
      env: {
        ...environment,
        ...(settings.nsys !== null && {GPU_LENS_NSYS: settings.nsys}),
        GPU_LENS_NSYS_LIMIT: String(settings.nsysLimitSeconds),
        ELECTRON_RUN_AS_NODE: '1',
      },
    },
  );
  const task = new vscode.Task(
    {...definition, type: taskType},
    folder ?? vscode.TaskScope.Workspace,
    definitionName(definition),
    taskSource,
    execution,
    [failureMatcher],
  );
  task.presentationOptions = {reveal: vscode.TaskRevealKind.Always, panel: vscode.TaskPanelKind.Dedicated, clear: true};
  return task;
}

function variableValues({cwd}: ProfileDefinition, folder: vscode.WorkspaceFolder | undefined): VariableValues {
  const workspaceFolder = folder?.uri.fsPath ?? cwd ?? process.cwd();
  return {workspaceFolder, file: null, home: homedir(), env: process.env};
}

/** The problem matcher from package.json for the lines in which the command line reports where a program failed. */
const failureMatcher = '$gpu-lens-traceback';
