import * as vscode from 'vscode';
import type {ViewCommand} from '../../protocol/view-messages.js';
import {commandIds} from '../base/command-ids.js';
import {profilePanels} from '../base/profile-panels.js';
import type {Log} from '../base/log.js';
import type {ProfileStore} from '../profiles/profile-store.js';

/** Runs the commands behind the views' buttons; `uri` is the file that the view shows, if any. */
export function createViewCommands(
  store: ProfileStore,
  log: Log,
): (command: ViewCommand, uri: vscode.Uri | null) => void {
  const run = (command: string) => () => void vscode.commands.executeCommand(command);
  const onPath = (act: (path: string) => unknown) => (path: string | undefined) => path !== undefined && act(path);
  const commands: Readonly<Record<ViewCommand, (path: string | undefined) => unknown>> = {
    'open-profile': run(commandIds.openProfile),
    'open-again': onPath(path => store.openFile(path)),
    'profile-model-step': run(commandIds.profileModelStep),
    'switch-profile': run(commandIds.switchProfile),
    // The editor with the button may show another profile than the active one.
    'show-flame': path => {
      if (path !== undefined && path !== store.active?.path) store.activate(path);
      return vscode.commands.executeCommand(profilePanels.flame.command);
    },
    'show-timeline': run(commandIds.showTimeline),
    'show-findings': run(commandIds.showFindings),
    'open-with': run('workbench.action.reopenWithEditor'),
    'save-part': onPath(path => vscode.commands.executeCommand(commandIds.savePart, {path})),
    'show-log': () => {
      log.show();
    },
    'cancel-open': onPath(path => {
      store.cancelOpening(path);
    }),
  };
  return (command, uri) => {
    if (Object.hasOwn(commands, command)) commands[command](uri?.fsPath ?? store.active?.path);
  };
}
