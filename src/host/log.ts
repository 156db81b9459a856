import * as vscode from 'vscode';
import {describeError} from '../core/errors.js';

/** The one output channel. */
export type Log = vscode.LogOutputChannel;

/** Shows a failure as one sentence with a way to the log, which has the details. */
export async function showFailure(log: Log, error: unknown): Promise<void> {
  const {code, message} = describeError(error, 'file/unreadable');
  if (code === 'import/cancelled') return;
  log.error(error instanceof Error ? error : message);
  await showWithLog(log, message);
}

/** Shows a sentence with "Show Log". */
export async function showWithLog(log: Log, message: string): Promise<void> {
  const showLog = 'Show Log';
  if ((await vscode.window.showErrorMessage(message, showLog)) === showLog) log.show();
}
