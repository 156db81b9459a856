import {dirname} from 'node:path';
import * as vscode from 'vscode';

export const taskType = 'gpu-lens';

/** How a task ended: the status of its process, undefined where it was ended before it had one. */
export interface TaskEnd {
  readonly exitCode: number | undefined;
}

/** A command that runs in its script's folder, in the terminal, without a shell. */
export function createTask(
  name: string,
  command: {readonly program: string; readonly args: readonly string[]},
  script: string,
): vscode.Task {
  const execution = new vscode.ProcessExecution(command.program, [...command.args], {cwd: dirname(script)});
  const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(script));
  const task = new vscode.Task(
    {type: taskType, script},
    folder ?? vscode.TaskScope.Workspace,
    name,
    'GPU Lens',
    execution,
  );
  task.presentationOptions = {reveal: vscode.TaskRevealKind.Always, panel: vscode.TaskPanelKind.Dedicated, clear: true};
  return task;
}

/** Runs a task to its end. When `token` is cancelled the task is terminated, with all its processes. */
export async function runTask(task: vscode.Task, token: vscode.CancellationToken): Promise<TaskEnd> {
  const disposables: vscode.Disposable[] = [];
  try {
    return await new Promise<TaskEnd>((resolve, reject) => {
      let execution: vscode.TaskExecution | null = null;
      let exitCode: number | undefined;
      disposables.push(
        vscode.tasks.onDidEndTaskProcess(event => {
          if (event.execution === execution) exitCode = event.exitCode;
        }),
        vscode.tasks.onDidEndTask(event => {
          if (event.execution === execution) resolve({exitCode});
        }),
        token.onCancellationRequested(() => {
          execution?.terminate();
        }),
      );
      vscode.tasks.executeTask(task).then(started => {
        execution = started;
        if (token.isCancellationRequested) started.terminate();
      }, reject);
    });
  } finally {
    for (const disposable of disposables) disposable.dispose();
  }
}
