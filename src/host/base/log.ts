import type * as vscode from 'vscode';
import {describeError} from '../../core/base/errors.js';
import {showError} from './messages.js';

/** The one output channel. */
export type Log = vscode.LogOutputChannel;

/** Logs a failure, and shows it as one sentence with a way to the log, which has the details. */
export async function showFailure(log: Log, error: unknown): Promise<void> {
  const {code, message} = describeError(error, 'file/unreadable');
  if (code === 'import/cancelled') return;
  log.error(error instanceof Error ? error : message);
  await showWithLog(log, message);
}

/** Shows a sentence with "Show Log". */
export async function showWithLog(log: Log, message: string): Promise<void> {
  if ((await showError(message, 'Show Log')) === 'Show Log') log.show();
}
