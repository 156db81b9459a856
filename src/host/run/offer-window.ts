import * as vscode from 'vscode';
import {formatCount} from '../../core/format/count.js';
import {askForWindow} from '../../launch/run/run-control.js';
import {showFailure, type Log} from '../base/log.js';
import {showInformation} from '../base/messages.js';

const record = 'Record a Window of Time';

/** A run in which no step was found for so long. */
interface RunWithoutSteps {
  readonly folder: string;
  readonly seconds: number;
  readonly isRunning: () => boolean;
}

/** Says that a run takes no steps, and records a window of time of it, as it runs, where the user wants that. */
export async function offerWindow(
  name: string,
  {folder, seconds, isRunning}: RunWithoutSteps,
  log: Log,
): Promise<void> {
  const question = vscode.l10n.t('No step of {0} was found for {1} s.', name, formatCount(seconds));
  const choice = await showInformation(question, record);
  // The question may be answered when all is over.
  if (choice !== record || !isRunning()) return;
  try {
    await askForWindow(folder);
    log.info(vscode.l10n.t('Asked {0} for a window of time.', name));
  } catch (error) {
    await showFailure(log, error);
  }
}
