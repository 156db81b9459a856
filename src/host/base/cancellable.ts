import * as vscode from 'vscode';
import {plainText} from './messages.js';

/** What a cancellable action gets: a signal that cancelling aborts, and where it reports how far it is. */
export interface Cancellable {
  readonly signal: AbortSignal;
  readonly progress: vscode.Progress<{readonly message?: string; readonly increment?: number}>;
}

/**
 * Runs an action under a notification with "Cancel". Returns the action's result; null if the user cancels and the
 * action fails because of that.
 *
 * @param title plain text: a link in it, such as in a file's name, is not one in the notification
 * @throws what the action throws without being cancelled
 */
export async function withCancel<T>(title: string, act: (given: Cancellable) => Promise<T>): Promise<T | null> {
  return vscode.window.withProgress(
    {location: vscode.ProgressLocation.Notification, cancellable: true, title: plainText(title)},
    async (progress, token) => {
      const cancel = new AbortController();
      token.onCancellationRequested(() => {
        cancel.abort();
      });
      try {
        return await act({signal: cancel.signal, progress});
      } catch (error) {
        if (cancel.signal.aborted) return null;
        throw error;
      }
    },
  );
}

/** Returns a listener that reports the part of the work that is done, from 0 to 1, as increments of percent. */
export function partListener(progress: Cancellable['progress']): (done: {readonly part: number}) => void {
  let shown = 0;
  return ({part}) => {
    progress.report({increment: 100 * (part - shown)});
    shown = part;
  };
}
