import {existsSync, readdirSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import * as vscode from 'vscode';
import {EventFollower} from '../../launch/programs/event-follower.js';
import {
  definitionName,
  readDefinition,
  taskType,
  type ProfileDefinition,
} from '../../launch/command/profile-definition.js';
import type {ProfileResult} from '../../launch/run/profile-result.js';
import {messagesFileName, parseRunMessage, type RunMessage} from '../../launch/run/run-messages.js';
import type {Log} from '../base/log.js';
import {plainText, showInformation} from '../base/messages.js';
import {offerWindow} from './offer-window.js';
import {createProfileTask, type TaskSurroundings} from './profile-task.js';
import type {RunPlan} from './run-plan.js';
import {runTaskBefore} from './wait-for-task.js';

const pollMs = 100;

/**
 * Follows every task of the type `gpu-lens`, whoever started it, by the messages that its process leaves in a file;
 * hands over what came of it.
 */
export class ProfileRuns implements vscode.Disposable {
  readonly surroundings: TaskSurroundings;
  readonly #running = new Map<string, vscode.TaskExecution>();
  readonly #disposables: readonly vscode.Disposable[];

  constructor(
    context: vscode.ExtensionContext,
    private readonly log: Log,
    private readonly onEnd: (
      definition: ProfileDefinition,
      folder: vscode.WorkspaceFolder | undefined,
      result: ProfileResult,
    ) => Promise<void>,
  ) {
    const messages = vscode.Uri.joinPath(context.globalStorageUri, 'runs').fsPath;
    this.surroundings = {extensionUri: context.extensionUri, messages};
    removeOldMessages(messages, log);
    this.#disposables = [
      vscode.tasks.onDidStartTaskProcess(event => {
        if (event.execution.task.definition.type === taskType) void this.#follow(event.execution, event.processId);
      }),
    ];
  }

  /**
   * Runs what was chosen; the run goes on when this returns.
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

  /** Whether the same is running already, for it would fight for its terminal; the user is asked what to do about it. */
  async #isBusy(definition: ProfileDefinition): Promise<boolean> {
    const execution = this.#running.get(keyOf(definition));
    if (!execution) return false;
    const question = `${definitionName(definition)} is still being profiled.`;
    const choice = await showInformation(question, 'Show Terminal', 'Stop It');
    if (choice === 'Show Terminal') await vscode.commands.executeCommand('workbench.action.terminal.focus');
    else if (choice === 'Stop It') execution.terminate();
    return true;
  }

  async #follow(execution: vscode.TaskExecution, pid: number): Promise<void> {
    const definition = readDefinition(execution.task.definition);
    const key = keyOf(definition);
    const name = definitionName(definition);
    this.#running.set(key, execution);
    const file = join(this.surroundings.messages, messagesFileName(pid));
    let isCancelled = false;
    try {
      const result = await vscode.window.withProgress(
        {location: vscode.ProgressLocation.Notification, cancellable: true, title: plainText(`Profiling ${name}`)},
        (progress, token) => {
          token.onCancellationRequested(() => {
            isCancelled = true;
            execution.terminate();
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
      const {scope} = execution.task;
      await this.onEnd(
        definition,
        typeof scope === 'object' ? scope : undefined,
        result ?? endedMute(name, isCancelled),
      );
    } finally {
      if (this.#running.get(key) === execution) this.#running.delete(key);
      rmSync(file, {force: true});
    }
  }
}

interface RunListener {
  readonly onProgress: (text: string) => void;
  readonly onNoStep: (folder: string, seconds: number) => void;
  readonly onFailure: (error: unknown) => void;
}

/**
 * What a process says at its end; null where it ended without a word. It may take a while after its terminal is gone:
 * what runs in it is given time to write what it recorded.
 */
async function resultOf(
  file: string,
  pid: number,
  {onProgress, onNoStep, onFailure}: RunListener,
): Promise<ProfileResult | null> {
  const results: ProfileResult[] = [];
  const take = (message: RunMessage) => {
    if (message.message === 'progress') onProgress(message.text);
    else if (message.message === 'no-step') onNoStep(message.folder, message.seconds);
    else if (message.message === 'ended') results.push(message.result);
  };
  const follower = new EventFollower(file, parseRunMessage, take, onFailure);
  follower.start();
  try {
    // The last look comes after the process was seen to be gone.
    for (let isAlive = true; isAlive && results.length === 0;) {
      isAlive = isRunning(pid);
      await delay(pollMs);
      await follower.poll();
    }
  } finally {
    await follower.stop();
  }
  return results[0] ?? null;
}

/** The result of a process that told none: it was killed. */
function endedMute(name: string, isCancelled: boolean): ProfileResult {
  const sentence = isCancelled
    ? `Profiling ${name} was cancelled; nothing had been recorded.`
    : `Profiling ${name} was ended from outside: its terminal has what was written before.`;
  return {profiles: [], status: null, isCancelled, sentences: [sentence], notes: [], tail: []};
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Those of processes that ended when no editor was there to read them. The first run makes the folder. */
function removeOldMessages(folder: string, log: Log): void {
  try {
    for (const name of existsSync(folder) ? readdirSync(folder) : []) {
      if (!isRunning(parseInt(name, 10))) rmSync(join(folder, name), {force: true});
    }
  } catch (error) {
    log.warn(`Messages of runs that have ended stay in ${folder}: ${String(error)}`);
  }
}

/** What is run. Arguments and values of variables may be secrets, and a log is sent to others. */
function loggedText({script, module, command, env = {}, envFile}: ProfileDefinition): string {
  const names = Object.keys(env).join(', ');
  return [script ?? module ?? command ?? '', names && `with ${names}`, envFile && `and those of ${envFile}`]
    .filter(text => text !== undefined && text !== '')
    .join(' ');
}

/** Two runs of one program in one folder are the same. */
function keyOf({script, module, command, cwd}: ProfileDefinition): string {
  return JSON.stringify([script, module, command, cwd]);
}
