import {existsSync} from 'node:fs';
import {join} from 'node:path';
import * as vscode from 'vscode';
import {
  definitionName,
  readDefinition,
  taskType,
  type ProfileDefinition,
} from '../../launch/command/profile-definition.js';
import {claimRun, type RunClaim} from '../../launch/run/claim-run.js';
import type {ProfileResult} from '../../launch/run/profile-result.js';
import {messagesFileName} from '../../launch/run/run-messages.js';
import type {Log} from '../base/log.js';
import {plainText, showInformation} from '../base/messages.js';
import {endRun, findEarlierRuns, type EarlierRuns} from './earlier-runs.js';
import {offerWindow} from './offer-window.js';
import {createProfileTask, taskSource, type TaskSurroundings} from './profile-task.js';
import type {RunPlan} from './run-plan.js';
import {endedMute, resultOf} from './run-result.js';
import {runTaskBefore} from './wait-for-task.js';

/**
 * Follows every task of the type `gpu-lens`, whoever started it, by the messages that its process writes to a file, and
 * passes on the result.
 */
export class ProfileRuns implements vscode.Disposable {
  readonly surroundings: TaskSurroundings;
  readonly #running = new Map<string, vscode.TaskExecution>();
  /** Processes whose messages are read. */
  readonly #followed = new Set<number>();
  readonly #disposables: readonly vscode.Disposable[];

  constructor(
    context: vscode.ExtensionContext,
    private readonly log: Log,
    private readonly onEnd: (
      plan: Pick<RunPlan, 'definition' | 'folder' | 'origin'>,
      result: ProfileResult,
    ) => Promise<void>,
    onEarlierEnd: EarlierRuns['onEnd'],
  ) {
    const messages = vscode.Uri.joinPath(context.globalStorageUri, 'runs').fsPath;
    this.surroundings = {extensionUri: context.extensionUri, messages};
    this.#disposables = [
      vscode.tasks.onDidStartTaskProcess(event => {
        if (event.execution.task.definition.type === taskType) void this.#follow(event.execution, event.processId);
      }),
    ];
    findEarlierRuns(messages, {followed: this.#followed, onEnd: onEarlierEnd, log}).catch((error: unknown) => {
      log.warn(`Runs that went on without an editor were not found: ${String(error)}`);
    });
  }

  /**
   * Starts the chosen run, and returns while it still runs.
   *
   * @throws TraceError `launch/…`
   */
  async start({definition, folder, preLaunchTask}: RunPlan): Promise<void> {
    if (await this.#isBusy(definition)) return;
    const task = await createProfileTask(definition, folder, this.surroundings);
    if (preLaunchTask !== null && !(await runTaskBefore(preLaunchTask))) return;
    this.log.info(`Profiling ${task.name}: ${loggedText(definition)}`);
    await vscode.tasks.executeTask(task);
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }

  /** Returns whether the same run is active, since both would use one terminal; the user is asked what to do. */
  async #isBusy(definition: ProfileDefinition): Promise<boolean> {
    const execution = this.#running.get(keyOf(definition));
    if (!execution) return false;
    const question = vscode.l10n.t('{0} is still being profiled.', definitionName(definition));
    const [show, stop] = [vscode.l10n.t('Show Terminal'), vscode.l10n.t('Stop It')];
    const choice = await showInformation(question, show, stop);
    if (choice === show) await vscode.commands.executeCommand('workbench.action.terminal.focus');
    else if (choice === stop) execution.terminate();
    return true;
  }

  async #follow(execution: vscode.TaskExecution, pid: number): Promise<void> {
    // After a reload, VS Code announces its tasks again; they may already be followed.
    if (this.#followed.has(pid)) return;
    this.#followed.add(pid);
    const definition = readDefinition(execution.task.definition);
    const key = keyOf(definition);
    const name = definitionName(definition);
    this.#running.set(key, execution);
    const file = join(this.surroundings.messages, messagesFileName(pid));
    let isCancelled = false;
    let claim: RunClaim | null = null;
    try {
      claim = await claimRun(file, existsSync(file));
      if (!claim) return;
      const result = await vscode.window.withProgress(
        {
          location: vscode.ProgressLocation.Notification,
          cancellable: true,
          title: plainText(vscode.l10n.t('Profiling {0}', name)),
        },
        (progress, token) => {
          token.onCancellationRequested(() => {
            isCancelled = true;
            // A run that survives its terminal is asked to end directly.
            if (execution.task.execution instanceof vscode.ProcessExecution && keepsRunning(execution.task.execution)) {
              endRun(pid, this.log);
            } else {
              execution.terminate();
            }
          });
          const follower = {
            onNoStep: (folder: string, seconds: number) => {
              const isRunning = () => this.#running.get(key) === execution;
              void offerWindow(name, {folder, seconds, isRunning}, this.log);
            },
            onProgress: (text: string) => {
              progress.report({message: plainText(text)});
            },
            onFailure: (error: unknown) => {
              this.log.warn(`The messages of ${name} cannot be read: ${String(error)}`);
            },
          };
          return resultOf(file, pid, follower);
        },
      );
      const {scope, source, name: label} = execution.task;
      await this.onEnd(
        {
          definition,
          folder: typeof scope === 'object' ? scope : undefined,
          // The extension's own tasks have no definition that could change.
          ...(source !== taskSource && {origin: {from: 'task', name: label, source}}),
        },
        result ?? endedMute(name, isCancelled),
      );
    } finally {
      if (this.#running.get(key) === execution) this.#running.delete(key);
      this.#followed.delete(pid);
      claim?.done();
    }
  }
}

function keepsRunning({args}: vscode.ProcessExecution): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end < 0 ? undefined : end).includes('--keep-running');
}

/** Returns what is run, without arguments and values of variables: they may be secrets, and logs are shared. */
function loggedText({script, module, command, env = {}, envFile}: ProfileDefinition): string {
  const names = Object.keys(env).join(', ');
  return [script ?? module ?? command ?? '', names && `with ${names}`, envFile && `and those of ${envFile}`]
    .filter(text => text !== undefined && text !== '')
    .join(' ');
}

/** Two runs of one program in one folder count as the same. */
function keyOf({script, module, command, cwd}: ProfileDefinition): string {
  return JSON.stringify([script, module, command, cwd]);
}
