import * as vscode from 'vscode';
import {commandIds} from '../base/command-ids.js';
import {showInformation} from '../base/messages.js';

/** Says that SQL needs an open profile, and opens one if the user wants to. */
export async function askForProfile(): Promise<void> {
  const open = vscode.l10n.t('Open Profile…');
  const choice = await showInformation(vscode.l10n.t('SQL needs an open profile: open one first.'), open);
  if (choice === open) await vscode.commands.executeCommand(commandIds.openProfile);
}
