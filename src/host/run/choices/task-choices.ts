import * as vscode from 'vscode';
import {readDefinition, taskType, type ProfileDefinition} from '../../../launch/command/profile-definition.js';
import {isWorthProfiling, shellLineDefinition} from '../../../launch/command/shell-line.js';
import type {RunChoice, RunOrigin, RunPlan} from '../run-plan.js';

type TaskOrigin = Extract<RunOrigin, {from: 'task'}>;

/** Returns the workspace's tasks that run a program: those of our type unchanged, the others under the profiler. */
export async function taskChoices(): Promise<RunChoice[]> {
  const tasks = await vscode.tasks.fetchTasks();
  return tasks.flatMap(task => {
    const plan = planOf(task);
    if (!plan) return [];
    return [{label: `$(checklist) ${task.name}`, description: task.source, plan: () => Promise.resolve(plan)}];
  });
}

/** Returns the current plan of the task that a run was chosen from; "gone" if there is none of its name. */
export async function taskPlanNow(
  {name, source}: TaskOrigin,
  folder: vscode.WorkspaceFolder,
): Promise<RunPlan | 'gone'> {
  const tasks = await vscode.tasks.fetchTasks();
  const plans = tasks.filter(task => task.name === name && task.source === source).map(planOf);
  return plans.find(plan => plan?.folder?.uri.toString() === folder.uri.toString()) ?? 'gone';
}

function planOf(task: vscode.Task): RunPlan | null {
  const definition = definitionOf(task);
  if (!definition) return null;
  const folder = typeof task.scope === 'object' ? task.scope : vscode.workspace.workspaceFolders?.[0];
  return {definition, folder, preLaunchTask: null, origin: {from: 'task', name: task.name, source: task.source}};
}

function definitionOf({definition, execution}: vscode.Task): ProfileDefinition | null {
  if (definition.type === taskType) return readDefinition(definition);
  if (execution instanceof vscode.ProcessExecution) {
    const {process: command, args, options} = execution;
    return isWorthProfiling(command) ? {type: taskType, command, args, ...surroundingsOf(options)} : null;
  }
  return execution instanceof vscode.ShellExecution ? shellDefinition(execution) : null;
}

function shellDefinition({commandLine, command, args, options}: vscode.ShellExecution): ProfileDefinition | null {
  const [program = '', ...rest] = [command, ...(args ?? [])].map(wordText);
  // A command given as one text is a shell command line.
  const line = commandLine ?? (rest.length === 0 ? program : null);
  if (!isWorthProfiling(line ?? program)) return null;
  const shell = options?.executable ?? vscode.env.shell;
  const run = line === null ? {type: taskType, command: program, args: rest} : shellLineDefinition(line, shell);
  return {...run, ...surroundingsOf(options)};
}

function wordText(word: string | vscode.ShellQuotedString | undefined): string {
  return typeof word === 'object' ? word.value : (word ?? '');
}

function surroundingsOf(
  options: {readonly cwd?: string; readonly env?: Readonly<Record<string, string>>} | undefined,
): Pick<ProfileDefinition, 'cwd' | 'env'> {
  return {...(options?.cwd !== undefined && {cwd: options.cwd}), ...(options?.env && {env: options.env})};
}
