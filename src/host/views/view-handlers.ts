import type * as vscode from 'vscode';
import type {RankRequests} from '../../protocol/rank-messages.js';
import type {Handlers} from '../../protocol/rpc.js';
import type {HostRequests} from '../../protocol/view-messages.js';
import type {RevealSource} from '../source/reveal-source.js';
import type {ProfileScopes} from '../profiles/profile-scopes.js';
import {rankHandlers, type RankServices} from '../profiles/rank-handlers.js';

/** Key under which the workspace stores the timeline's layout. */
const layoutKey = 'timeline.layout';

type Answered = 'source/reveal' | 'scope/set' | `layout/${'restore' | 'store'}` | keyof RankRequests;

/** The parts of the extension that answer the requests. */
export interface ViewHandlerServices extends RankServices {
  readonly scopes: ProfileScopes;
  /** The workspace's storage. */
  readonly memory: vscode.Memento;
  readonly revealSource: RevealSource;
}

/** Returns the handlers of requests to the editor itself: its files and the workspace's storage. */
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
