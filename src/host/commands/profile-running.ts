import * as vscode from 'vscode';
import {askOne} from '../base/ask.js';
import {idleRuns, type IdleRun} from '../../launch/run/idle-runs.js';
import type {ProfileResult} from '../../launch/run/profile-result.js';
import {triggerRun} from '../../launch/run/trigger-run.js';
import {showFailure, type Log} from '../base/log.js';
import {plainLabel, plainText, showInformation} from '../base/messages.js';
import {readSettings} from '../base/settings.js';

const waitMs = 60_000;

interface RunItem extends vscode.QuickPickItem {
  readonly run: IdleRun;
}

/**
 * "Profile Running Process": makes a program started with `profile --idle` record its next steps with the options of
 * the settings.
 *
 * @param show shows how it ended, and opens the recording
 */
export function profileRunningCommand(
  log: Log,
  show: (name: string, result: ProfileResult) => Promise<void>,
): () => Promise<void> {
  return async () => {
    try {
      const run = await pickRun();
      if (!run) return;
      const {active, shapes, stacks, memory} = readSettings().recording;
      const request = {
        ...(active !== undefined && {steps: active}),
        ...(shapes !== undefined && {shapes}),
        ...(stacks !== undefined && {stack: stacks}),
        ...(memory !== undefined && {memory}),
      };
      const result = await vscode.window.withProgress(
        {
          location: vscode.ProgressLocation.Notification,
          cancellable: true,
          title: plainText(vscode.l10n.t('Profiling {0}', run.name)),
        },
        (progress, token) => {
          const stop = new AbortController();
          token.onCancellationRequested(() => {
            stop.abort();
          });
          const onProgress = (text: string) => {
            progress.report({message: plainText(text)});
          };
          return triggerRun(run, request, {signal: stop.signal, onProgress, waitMs});
        },
      );
      if (!result.isCancelled) await show(run.name, result);
    } catch (error) {
      await showFailure(log, error);
    }
  };
}

async function pickRun(): Promise<IdleRun | undefined> {
  const runs = await idleRuns();
  if (runs.length === 0) {
    void showInformation(
      vscode.l10n.t('No program waits to be recorded. Start one with “gpu-lens profile --idle -- python train.py”.'),
    );
    return undefined;
  }
  const items: RunItem[] = runs.map(run => ({
    run,
    label: `$(pulse) ${plainLabel(run.name)}`,
    description: vscode.l10n.t('process {0}', String(run.pid)),
    detail: plainLabel(run.folder),
  }));
  const picked = await askOne(items, {
    title: vscode.l10n.t('Profile Running Process'),
    placeHolder: vscode.l10n.t('The program whose next steps are recorded'),
    matchOnDescription: true,
  });
  return picked?.run;
}
