import {basename, dirname, join} from 'node:path';
import * as vscode from 'vscode';
import {EventFollower} from '../../launch/event-follower.js';
import {findPython} from '../../launch/python-interpreter.js';
import {createRunFolder, usualOutputFolder, type RunFolder} from '../../launch/run-folder.js';
import {profilesOf, progressText, RunRecord, runSentences} from '../../launch/run-outcome.js';
import {runnerCommand} from '../../launch/runner-command.js';
import {parseRunnerEvent} from '../../launch/runner-events.js';
import {showFailure, showWithLog, type Log} from '../log.js';
import {plainText, showInformation} from '../messages.js';
import {openWithProgress} from '../profiles/open-profile.js';
import type {ProfileStore} from '../profiles/profile-store.js';
import {selectedInterpreter} from '../run/python-extension.js';
import {createTask, runTask} from '../run/run-task.js';
import type {RunningScripts} from '../run/running-scripts.js';
import {ScriptArguments} from '../run/script-arguments.js';
import {readSettings} from '../settings.js';
import {TimelineView} from '../views/timeline-view.js';

/** What "Profile model step" needs. */
export interface RunServices {
  readonly context: vscode.ExtensionContext;
  readonly store: ProfileStore;
  readonly log: Log;
  readonly running: RunningScripts;
}

/** "Profile model step": runs the training script in the editor under the runner, and shows what it recorded. */
export function profileModelStepCommand(
  services: RunServices,
  asksArguments: boolean,
): (uri?: unknown) => Promise<void> {
  const scriptArguments = new ScriptArguments(services.context.workspaceState);
  const {running} = services;
  return async uri => {
    try {
      if (!vscode.workspace.isTrusted) {
        void vscode.window.showWarningMessage(
          'GPU Lens runs scripts only in a trusted workspace. Profiles can be opened.',
        );
        return;
      }
      const script = await scriptToRun(uri);
      if (!script || (await running.isBusy(script.fsPath, basename(script.fsPath)))) return;
      const args = asksArguments ? await scriptArguments.ask(script) : scriptArguments.last(script);
      if (args) await running.track(script.fsPath, stop => profileScript(services, script, args, stop));
    } catch (error) {
      await showFailure(services.log, error);
    }
  };
}

/** The file from the explorer, else the Python file in the editor (saved first), else one that the user picks. */
async function scriptToRun(uri: unknown): Promise<vscode.Uri | undefined> {
  if (uri instanceof vscode.Uri && uri.scheme === 'file') return uri;
  const document = vscode.window.activeTextEditor?.document;
  if (document?.languageId === 'python' && document.uri.scheme === 'file') return saved(document);
  return pickScript();
}

async function saved(document: vscode.TextDocument): Promise<vscode.Uri | undefined> {
  return !document.isDirty || (await document.save()) ? document.uri : undefined;
}

async function pickScript(): Promise<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const picked = await vscode.window.showOpenDialog({
    title: 'Script to profile',
    openLabel: 'Profile',
    ...(folder ? {defaultUri: folder} : {}),
    filters: {Python: ['py']},
  });
  return picked?.[0];
}

async function profileScript(
  services: RunServices,
  uri: vscode.Uri,
  args: readonly string[],
  stop: vscode.CancellationTokenSource,
): Promise<void> {
  const {context, store, log} = services;
  const script = uri.fsPath;
  const name = basename(script);
  const settings = readSettings(uri);
  const workspace = vscode.workspace.getWorkspaceFolder(uri)?.uri.fsPath ?? dirname(script);
  const python = await findPython({
    selected: await selectedInterpreter(uri).catch(() => null),
    setting: settings.python,
    workspaceFolders: (vscode.workspace.workspaceFolders ?? []).map(folder => folder.uri.fsPath),
  });
  log.info(`Profiling ${script} with ${python.path}, chosen by ${python.chosenBy}`);
  const folder = await createRunFolder(join(workspace, usualOutputFolder), script, new Date());
  const command = runnerCommand({
    ...settings,
    python: python.path,
    runner: vscode.Uri.joinPath(context.extensionUri, 'src', 'runner').fsPath,
    folder,
    root: workspace,
    command: [python.path, script, ...args],
  });
  const {record, isCancelled} = await follow(folder, name, stop, token =>
    runTask(createTask(name, command, script), token),
  );
  for (const line of record.tail) log.info(`${name}: ${line}`);
  await showOutcome(name, record, isCancelled, store, log);
}

/** Runs with a progress notification that the events of the run feed; cancel ends the run. */
async function follow(
  folder: RunFolder,
  name: string,
  stop: vscode.CancellationTokenSource,
  run: (token: vscode.CancellationToken) => Promise<{exitCode: number | undefined}>,
): Promise<{record: RunRecord; isCancelled: boolean}> {
  const record = new RunRecord();
  const isCancelled = await vscode.window.withProgress(
    {location: vscode.ProgressLocation.Notification, cancellable: true, title: plainText(`Profiling ${name}`)},
    async (progress, token) => {
      token.onCancellationRequested(() => {
        stop.cancel();
      });
      const follower = new EventFollower(folder.eventsFile, parseRunnerEvent, event => {
        record.add(event);
        const message = progressText(event);
        if (message !== null) progress.report({message});
      });
      follower.start();
      try {
        const {exitCode} = await run(stop.token);
        await follower.stop();
        record.status ??= exitCode ?? null;
      } finally {
        await follower.stop();
      }
      return stop.token.isCancellationRequested;
    },
  );
  return {record, isCancelled};
}

async function showOutcome(
  name: string,
  record: RunRecord,
  isCancelled: boolean,
  store: ProfileStore,
  log: Log,
): Promise<void> {
  for (const sentence of runSentences(name, record, isCancelled)) {
    log.warn(sentence);
    void (isCancelled ? showInformation(sentence) : showWithLog(log, sentence));
  }
  const [trace, ...others] = profilesOf(record);
  if (!trace) return;
  if (others.length > 0) log.info(`More profiles were written: ${others.map(({path}) => path).join(', ')}`);
  const entry = await openWithProgress(store, log, trace.path);
  if (entry) await TimelineView.show();
}
