import * as vscode from 'vscode';
import {scopeText} from '../core/text/line-timing.js';
import type {TimeWindow} from '../core/base/time-window.js';
import {commandIds} from './base/command-ids.js';
import type {ProfileScopes} from './profiles/profile-scopes.js';
import type {ProfileStore} from './profiles/profile-store.js';

/** The context key of the command and buttons that clear the scope. */
const contextKey = 'gpuLens.hasScope';

/** Creates the status bar item with the active profile's scope; a click clears the scope. Hidden without one. */
export function createScopeStatus(store: ProfileStore, scopes: ProfileScopes): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('gpuLens.scope', vscode.StatusBarAlignment.Left);
  item.name = vscode.l10n.t('GPU Lens scope');
  item.command = commandIds.clearScope;
  let shown: TimeWindow | null | undefined;
  update();
  return vscode.Disposable.from(item, store.onDidChange(update), scopes.onDidChange(update));

  function update(): void {
    const scope = scopes.of(store.activeOpen);
    if (scope === shown) return;
    if (Boolean(scope) !== Boolean(shown)) {
      void vscode.commands.executeCommand('setContext', contextKey, scope !== null);
    }
    shown = scope;
    if (!scope) {
      item.hide();
      return;
    }
    item.text = `$(filter) ${scopeText(scope)}`;
    item.tooltip = vscode.l10n.t(
      'GPU Lens: figures on lines and in tables are of the window that is marked in the timeline, as of "gpu-lens ranges --from {0} --to {1}". Click to have them of the whole profile.',
      String(scope.fromNs),
      String(scope.toNs),
    );
    item.show();
  }
}

/** "Clear the scope": figures describe the whole active profile again. */
export function clearScopeCommand(store: ProfileStore, scopes: ProfileScopes): () => void {
  return () => {
    if (store.activeOpen) scopes.set(store.activeOpen, null);
  };
}
