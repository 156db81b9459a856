import * as vscode from 'vscode';
import {formatCount} from '../../core/format/count.js';
import {askForWindow} from '../../launch/run/run-control.js';
import {showFailure, type Log} from '../base/log.js';
import {showInformation} from '../base/messages.js';

/** A run in which no step was found for this long. */
interface RunWithoutSteps {
  readonly folder: string;
  readonly seconds: number;
  readonly isRunning: () => boolean;
}

/** Tells the user that a run takes no steps, and records a window of time if the user agrees. */
export async function offerWindow(
  name: string,
  {folder, seconds, isRunning}: RunWithoutSteps,
  log: Log,
): Promise<void> {
  const question = vscode.l10n.t('No step of {0} was found for {1} s.', name, formatCount(seconds));
  const record = vscode.l10n.t('Record a Window of Time');
  const choice = await showInformation(question, record);
  // The user may answer after the run has ended.
  if (choice !== record || !isRunning()) return;
  try {
    await askForWindow(folder);
    log.info(vscode.l10n.t('Asked {0} for a window of time.', name));
  } catch (error) {
    await showFailure(log, error);
  }
}
