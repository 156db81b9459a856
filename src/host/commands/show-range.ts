import * as vscode from 'vscode';
import {askName} from '../base/ask.js';
import {filterOfName} from '../../core/scope/range-filter.js';
import type {ProfileStore} from '../profiles/profile-store.js';
import type {ViewPanel} from '../views/view-panel.js';

/**
 * Shows the contents of one range: in the flame graph, or as a table of its kernels. If a line opened several, the user
 * picks one; the first has the most work.
 */
export function showRangeCommand(store: ProfileStore, panel: ViewPanel): (names?: unknown) => Promise<void> {
  return async argument => {
    const names = Array.isArray(argument) ? argument.filter(name => typeof name === 'string') : [];
    if (!store.activeOpen || names.length === 0) return;
    const name = await askName(names, vscode.l10n.t('Which range?'));
    if (name !== undefined) await panel.showRange(filterOfName(name));
  };
}
