import * as vscode from 'vscode';
import {TraceError} from '../../core/errors.js';

/** Starts a task and waits for its end; returns the status of its process, undefined where it had none. */
export async function runTask(task: vscode.Task): Promise<number | undefined> {
  const disposables: vscode.Disposable[] = [];
  try {
    return await new Promise<number | undefined>((resolve, reject) => {
      let execution: vscode.TaskExecution | null = null;
      let exitCode: number | undefined;
      disposables.push(
        vscode.tasks.onDidEndTaskProcess(event => {
          if (event.execution === execution) exitCode = event.exitCode;
        }),
        vscode.tasks.onDidEndTask(event => {
          if (event.execution === execution) resolve(exitCode);
        }),
      );
      vscode.tasks.executeTask(task).then(started => {
        execution = started;
      }, reject);
    });
  } finally {
    for (const disposable of disposables) disposable.dispose();
  }
}

/**
 * Runs the task that a launch configuration wants before it.
 *
 * @param name as `preLaunchTask` has it: a label, `type: label`, or `${defaultBuildTask}`
 * @throws TraceError `launch/failed` where there is no such task, or it fails
 */
export async function runTaskBefore(name: string): Promise<void> {
  const tasks = await vscode.tasks.fetchTasks();
  const task = tasks.find(candidate =>
    name === '${defaultBuildTask}'
      ? candidate.group?.id === vscode.TaskGroup.Build.id && candidate.group.isDefault === true
      : candidate.name === name || `${candidate.definition.type}: ${candidate.name}` === name,
  );
  if (!task) throw new TraceError('launch/failed', `There is no task “${name}”, which is to run before.`);
  const status = await runTask(task);
  if (status !== undefined && status !== 0) {
    throw new TraceError(
      'launch/failed',
      `The task “${name}”, which runs before, failed with exit code ${String(status)}.`,
    );
  }
}
