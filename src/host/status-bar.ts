import * as vscode from 'vscode';
import {commandIds} from './command-ids.js';
import {figures} from './commands/switch-profile.js';
import type {ProfileStore} from './profiles/profile-store.js';

/** The active profile in the status bar; a click lists the others. Hidden while there is none. */
export function createStatusBarItem(store: ProfileStore): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('gpuLens.profile', vscode.StatusBarAlignment.Left);
  item.name = 'GPU Lens profile';
  item.command = commandIds.switchProfile;
  const listener = store.onDidChange(update);
  update();
  return vscode.Disposable.from(item, listener);

  function update(): void {
    const {active, activeOpen} = store;
    if (activeOpen) {
      item.text = `$(flame) ${activeOpen.name} · ${figures(activeOpen)}`;
      item.tooltip = `GPU Lens shows ${activeOpen.path}. Click to switch.`;
      item.show();
    } else if (active?.state.kind === 'opening') {
      item.text = `$(loading~spin) ${active.name} ${String(Math.floor(100 * active.state.fraction))} %`;
      item.tooltip = `GPU Lens is opening ${active.path}.`;
      item.show();
    } else item.hide();
  }
}
