import {homedir} from 'node:os';
import * as vscode from 'vscode';
import {describeError, storyOf} from '../../core/base/errors.js';
import {showError} from './messages.js';

/** The one output channel. */
export type Log = vscode.LogOutputChannel;

const [showLog, copyDetails] = [vscode.l10n.t('Show Log'), vscode.l10n.t('Copy Details for an Issue')];

/** Logs a failure with its stack, and shows it as one sentence with a button for the log. */
export async function showFailure(log: Log, error: unknown): Promise<void> {
  const {code, message} = describeError(error, 'internal');
  if (code === 'import/cancelled') return;
  log.error(storyOf(error));
  if (code === 'internal') await showInternal(log, message, error);
  else await showWithLog(log, message);
}

/** Logs unexpected errors of a view's handlers: the view shows only the message. */
export function logInternal(log: Log): {onInternal: (error: unknown, method: string) => void} {
  return {
    onInternal: (error, method) => {
      log.error(`${method}: ${storyOf(error)}`);
    },
  };
}

/** Shows a sentence with "Show Log". */
export async function showWithLog(log: Log, message: string): Promise<void> {
  if ((await showError(message, showLog)) === showLog) log.show();
}

/** Shows an internal error, with buttons for the log and for details to report. */
async function showInternal(log: Log, message: string, error: unknown): Promise<void> {
  const button = await showError(message, showLog, copyDetails);
  if (button === showLog) log.show();
  if (button === copyDetails) await vscode.env.clipboard.writeText(issueDetails(message, storyOf(error)));
}

/** Returns what a maintainer needs to locate a fault: versions, the system, and the stack without the user's name. */
export function issueDetails(message: string, story: string): string {
  return [message, versionsText(), '', story].join('\n').replaceAll(homedir(), '~');
}

/** Returns the versions of GPU Lens, of the editor and of the system. */
export function versionsText(): string {
  const extension: unknown = vscode.extensions.getExtension('gpu-lens.gpu-lens')?.packageJSON;
  const version = (extension as {version?: string} | undefined)?.version ?? 'unknown';
  return `GPU Lens ${version}, VS Code ${vscode.version}, ${process.platform} ${process.arch}, Node ${process.version}`;
}
