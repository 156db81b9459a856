import * as vscode from 'vscode';
import type {ViewCommand} from '../../protocol/view-messages.js';
import {commandIds} from '../command-ids.js';
import type {Log} from '../log.js';
import type {ProfileStore} from '../profiles/profile-store.js';

/** Runs the commands behind the buttons of the views. */
export function createViewCommands(
  store: ProfileStore,
  log: Log,
): (command: ViewCommand, uri: vscode.Uri | null) => void {
  return (command, uri) => {
    switch (command) {
      case 'open-profile':
        void vscode.commands.executeCommand(commandIds.openProfile);
        break;
      case 'profile-model-step':
        void vscode.commands.executeCommand(commandIds.profileModelStep);
        break;
      case 'show-flame':
        void vscode.commands.executeCommand(commandIds.showFlameGraph);
        break;
      case 'show-log':
        log.show();
        break;
      case 'open-with':
        void vscode.commands.executeCommand('workbench.action.reopenWithEditor');
        break;
      case 'cancel-open': {
        const path = uri?.fsPath ?? store.active?.path;
        if (path !== undefined) store.cancelOpening(path);
        break;
      }
    }
  };
}
