import type * as vscode from 'vscode';
import {profilePanels} from '../base/profile-panels.js';
import type {ViewServices} from './view-connection.js';
import {ViewPanel} from './view-panel.js';

/** Creates the panels that show the active profile, by their webview folders, and their commands. */
export function createProfilePanels(
  extensionUri: vscode.Uri,
  services: ViewServices,
): {
  panels: Readonly<Record<keyof typeof profilePanels, ViewPanel>>;
  commands: Readonly<Record<string, () => void>>;
} {
  const made = Object.entries(profilePanels).map(
    ([name, kind]) => [name, kind.command, new ViewPanel(kind, extensionUri, services)] as const,
  );
  const panels = Object.fromEntries(made.map(([name, , panel]) => [name, panel]));
  const commands = made.map(([, command, panel]) => {
    const show = () => {
      panel.show();
    };
    return [command, show] as const;
  });
  return {panels: panels as Record<keyof typeof profilePanels, ViewPanel>, commands: Object.fromEntries(commands)};
}
