import * as vscode from 'vscode';
import {say} from '../../core/base/say.js';
import {askOne} from '../base/ask.js';
import {commandIds} from '../base/command-ids.js';
import {profileViews} from '../base/profile-views.js';
import {figures} from '../profiles/profile-figures.js';
import type {ProfileStore} from '../profiles/profile-store.js';

interface Choice extends vscode.QuickPickItem {
  readonly run: () => unknown;
}

/** Shows a list of the open profiles to switch to, with other actions on them. */
export function switchProfileCommand(store: ProfileStore): () => Promise<void> {
  return async () => {
    const {active} = store;
    const choices: Choice[] = store.open.map(profile => ({
      label: `${profile.path === active?.path ? '$(check)' : '$(blank)'} ${profile.name}`,
      description: figures(profile),
      detail: profile.path,
      run: () => {
        store.activate(profile.path);
      },
    }));
    const run = (command: string) => () => vscode.commands.executeCommand(command);
    choices.push(
      {label: '', kind: vscode.QuickPickItemKind.Separator, run: () => undefined},
      {label: vscode.l10n.t('$(folder-opened) Open Profile…'), run: run(commandIds.openProfile)},
      {label: vscode.l10n.t('$(play) Profile model step'), run: run(commandIds.profileModelStep)},
    );
    if (active)
      choices.push({label: vscode.l10n.t('$(debug-restart) Profile again'), run: run(commandIds.profileAgain)});
    if (active) {
      for (const {name, icon, command} of profileViews) {
        choices.push({label: `$(${icon}) ${say(name)}`, run: run(command)});
      }
      choices.push(
        {label: vscode.l10n.t('$(git-compare) Compare with…'), run: run(commandIds.compareWith)},
        {label: vscode.l10n.t('$(clear-all) Clear: close {0}', active.name), run: run(commandIds.closeProfile)},
      );
    }
    const choice = await askOne(choices, {
      title: 'GPU Lens',
      placeHolder: vscode.l10n.t('Profile to show'),
    });
    choice?.run();
  };
}
