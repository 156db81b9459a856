import * as vscode from 'vscode';
import {askName} from '../base/ask.js';
import {stackKinds, type StackKind} from '../../core/attribution/range-stack.js';
import {filterOfName} from '../../core/scope/range-filter.js';
import type {ProfileScopes} from '../profiles/profile-scopes.js';
import type {ProfileStore} from '../profiles/profile-store.js';
import type {ShowRow} from '../views/view-connection.js';
import type {ViewPanel} from '../views/view-panel.js';

/** Where the work of an untagged line can be shown. */
const untaggedTargets = ['timeline', 'flame', 'kernels'] as const;
export type UntaggedTarget = (typeof untaggedTargets)[number];

/**
 * Shows what launched the work of a line without a tag, in the current scope: operators, Python frames or modules of
 * these names. If there are several, the user picks one.
 */
export function showUntaggedCommand(
  store: ProfileStore,
  scopes: Pick<ProfileScopes, 'of'>,
  tables: Pick<ViewPanel, 'showRange'>,
  showRow: ShowRow,
): (names?: unknown, kind?: unknown, target?: unknown) => Promise<void> {
  return async (given, givenKind, givenTarget) => {
    const names = Array.isArray(given) ? given.filter(name => typeof name === 'string') : [];
    const kind = stackKinds.find(one => one === givenKind);
    const target = untaggedTargets.find(one => one === givenTarget);
    const profile = store.activeOpen;
    if (!profile || names.length === 0 || !kind || !target) return;
    const name = await askName(names, vscode.l10n.t('Which one?'));
    if (name === undefined) return;
    if (target === 'kernels') {
      await tables.showRange(filterOfName(name), kind);
      return;
    }
    const selection = scopes.of(profile) ?? {};
    await showRow(profile.key, {kind: 'operator', name, selection, stack: {}}, target);
  };
}

/** The arguments of the command for names of one kind. */
export type UntaggedNames = readonly [names: readonly string[], kind: StackKind];
