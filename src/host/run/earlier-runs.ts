import {sep} from 'node:path';
import * as vscode from 'vscode';
import {counted} from '../../core/format/count.js';
import {claimRun} from '../../launch/run/claim-run.js';
import type {ProfileResult} from '../../launch/run/profile-result.js';
import {startedRuns, type StartedRun} from '../../launch/run/started-runs.js';
import type {Log} from '../base/log.js';
import {plainText, showInformation} from '../base/messages.js';
import {outputFolders} from '../base/output-folders.js';
import {endedMute, resultOf} from './run-result.js';

/** How to handle a run that was started before this editor session. */
export interface EarlierRuns {
  /** Processes whose messages are already read. */
  readonly followed: Set<number>;
  /** @param wasSeen whether the editor was there when it ended */
  readonly onEnd: (name: string, result: ProfileResult, wasSeen: boolean) => Promise<void>;
  readonly log: Log;
}

/** Finds this workspace's runs that continued or ended while no editor was open; follows them, or reports their end. */
export async function findEarlierRuns(messages: string, {followed, onEnd, log}: EarlierRuns): Promise<void> {
  const runs = (await startedRuns(messages)).filter(({folder, pid}) => isOfWorkspace(folder) && !followed.has(pid));
  for (const {pid} of runs) followed.add(pid);
  await Promise.all(
    runs.map(async run => {
      const claim = await claimRun(run.file, true);
      try {
        if (!claim) return;
        const result = run.isRunning ? await followedResult(run, log) : run.result;
        claim.done();
        followed.delete(run.pid);
        await onEnd(run.name, result ?? endedMute(run.name, false), run.isRunning);
      } finally {
        claim?.release();
        followed.delete(run.pid);
      }
    }),
  );
}

/** Reports a run that ended unseen. Returns whether the user wants to see its recording. */
export async function offerEarlierRun(
  name: string,
  {profiles, isCancelled, sentences}: ProfileResult,
): Promise<boolean> {
  // A user who closes the editor ends the programs in its terminals, and knows that.
  if (isCancelled && profiles.length === 0) return false;
  const ended = vscode.l10n.t('{0} ended while VS Code was closed.', name);
  if (profiles.length === 0) {
    void showInformation([ended, ...sentences].join(' '));
    return false;
  }
  const open = profiles.length === 1 ? vscode.l10n.t('Open Profile') : vscode.l10n.t('Open First Profile');
  return (
    (await showInformation(
      `${ended} ${counted(profiles.length, 'It recorded {0} profile.', 'It recorded {0} profiles.')}`,
      open,
    )) === open
  );
}

function isOfWorkspace(folder: string): boolean {
  const places = [...(vscode.workspace.workspaceFolders ?? []).map(({uri}) => uri.fsPath), ...outputFolders()];
  return places.some(place => folder.startsWith(place + sep));
}

function followedResult({name, file, pid}: StartedRun, log: Log): Thenable<ProfileResult | null> {
  const title = plainText(vscode.l10n.t('{0} is still being profiled', name));
  return vscode.window.withProgress(
    {location: vscode.ProgressLocation.Notification, cancellable: true, title},
    (progress, token) => {
      token.onCancellationRequested(() => {
        endRun(pid, log);
      });
      return resultOf(file, pid, {
        onProgress: text => {
          progress.report({message: plainText(text)});
        },
        // The question was already asked.
        onNoStep: () => undefined,
        onFailure: error => {
          log.warn(`The messages of ${name} cannot be read: ${String(error)}`);
        },
      });
    },
  );
}

/** Ends a run whose terminal is gone, if it still runs. */
export function endRun(pid: number, log: Log): void {
  try {
    process.kill(pid, 'SIGTERM');
  } catch (error) {
    log.info(`The run of process ${String(pid)} has ended already: ${String(error)}`);
  }
}
