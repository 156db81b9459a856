import type * as vscode from 'vscode';
import type {Handlers} from '../../protocol/rpc.js';
import type {HostRequests} from '../../protocol/view-messages.js';
import type {RevealSource} from '../source/reveal-source.js';
import type {ProfileScopes} from '../profiles/profile-scopes.js';
import type {ProfileStore} from '../profiles/profile-store.js';

/** What the timeline's layout is kept under, with the workspace. */
const layoutKey = 'timeline.layout';

type Answered = 'source/reveal' | 'layout/restore' | 'layout/store' | 'scope/set';

/** What views ask of the editor itself: its files, its memory of the workspace. */
export function viewHandlers(
  store: ProfileStore,
  scopes: ProfileScopes,
  memory: vscode.Memento,
  revealSource: RevealSource,
): Pick<Handlers<HostRequests>, Answered> {
  return {
    'source/reveal': ({key, name}) => revealSource(name, store.byKey(key)?.state ?? null),
    'scope/set': ({key, window}) => {
      const profile = store.byKey(key);
      if (profile) scopes.set(profile, window);
      return undefined;
    },
    'layout/restore': () => memory.get<unknown>(layoutKey) ?? null,
    'layout/store': async ({layout}) => {
      await memory.update(layoutKey, layout);
      return undefined;
    },
  };
}
