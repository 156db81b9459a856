import * as vscode from 'vscode';
import {TraceError} from '../../core/base/errors.js';
import {plainText} from '../base/messages.js';

/** How a task ended: `status` is its process's exit status, undefined if it had no process. */
type Ended = {readonly isCancelled: true} | {readonly isCancelled: false; readonly status: number | undefined};

/** Starts a task and waits for its end; for a background task, until it has started. Cancelling the wait ends the task. */
export async function runTask(task: vscode.Task, token: vscode.CancellationToken): Promise<Ended> {
  const disposables: vscode.Disposable[] = [];
  const statuses = new Map<vscode.TaskExecution, number | undefined>();
  const ended = new Set<vscode.TaskExecution>();
  let execution: vscode.TaskExecution | null = null;
  try {
    return await new Promise<Ended>((resolve, reject) => {
      const settle = () => {
        // A quick task may end before VS Code reports which one it is.
        if (!execution || !(task.isBackground || ended.has(execution))) return;
        resolve({isCancelled: false, status: statuses.get(execution)});
      };
      disposables.push(
        vscode.tasks.onDidEndTaskProcess(event => statuses.set(event.execution, event.exitCode)),
        vscode.tasks.onDidEndTask(event => {
          ended.add(event.execution);
          settle();
        }),
        token.onCancellationRequested(() => {
          execution?.terminate();
          resolve({isCancelled: true});
        }),
      );
      vscode.tasks.executeTask(task).then(started => {
        execution = started;
        if (token.isCancellationRequested) started.terminate();
        settle();
      }, reject);
    });
  } finally {
    for (const disposable of disposables) disposable.dispose();
  }
}

/**
 * Runs the task that a launch configuration requires first. Returns false if the user does not want to wait for it.
 *
 * @param name as in `preLaunchTask`: a label, `type: label`, or `${defaultBuildTask}`
 * @throws TraceError `launch/failed` if there is no such task, or it fails
 */
export async function runTaskBefore(name: string): Promise<boolean> {
  const tasks = await vscode.tasks.fetchTasks();
  const task = tasks.find(candidate =>
    name === '${defaultBuildTask}'
      ? candidate.group?.id === vscode.TaskGroup.Build.id && candidate.group.isDefault === true
      : candidate.name === name || `${candidate.definition.type}: ${candidate.name}` === name,
  );
  if (!task)
    throw new TraceError('launch/failed', vscode.l10n.t('There is no task “{0}”, which is to run before.', name));
  const title = plainText(vscode.l10n.t('Waiting for the task “{0}”, which runs before', task.name));
  const ended = await vscode.window.withProgress(
    {location: vscode.ProgressLocation.Notification, cancellable: true, title},
    (_, token) => runTask(task, token),
  );
  if (ended.isCancelled) return false;
  const {status} = ended;
  if (status !== undefined && status !== 0) {
    throw new TraceError(
      'launch/failed',
      vscode.l10n.t('The task “{0}”, which runs before, failed with exit code {1}.', name, String(status)),
    );
  }
  return true;
}
