import type * as vscode from 'vscode';
import type {RankRequests} from '../../protocol/rank-messages.js';
import type {Handlers} from '../../protocol/rpc.js';
import type {HostRequests} from '../../protocol/view-messages.js';
import type {RevealSource} from '../source/reveal-source.js';
import type {ProfileScopes} from '../profiles/profile-scopes.js';
import {rankHandlers, type RankServices} from '../profiles/rank-handlers.js';

/** What the timeline's layout is kept under, with the workspace. */
const layoutKey = 'timeline.layout';

type Answered = 'source/reveal' | 'scope/set' | `layout/${'restore' | 'store'}` | keyof RankRequests;

/** What of the extension answers them. */
export interface ViewHandlerServices extends RankServices {
  readonly scopes: ProfileScopes;
  /** What is kept with the workspace. */
  readonly memory: vscode.Memento;
  readonly revealSource: RevealSource;
}

/** What views ask of the editor itself: its files, its memory of the workspace. */
export function viewHandlers(services: ViewHandlerServices): Pick<Handlers<HostRequests>, Answered> {
  const {store, scopes, memory, revealSource} = services;
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
    ...rankHandlers(services),
  };
}
