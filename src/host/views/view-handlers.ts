import type * as vscode from 'vscode';
import type {JobSection} from '../../core/job/rank-choices.js';
import type {Handlers} from '../../protocol/rpc.js';
import type {HostRequests} from '../../protocol/view-messages.js';
import type {RevealSource} from '../source/reveal-source.js';
import type {ProfileScopes} from '../profiles/profile-scopes.js';
import {offeredRanks, openRank, type RankOpener} from '../profiles/job-ranks.js';

/** What the timeline's layout is kept under, with the workspace. */
const layoutKey = 'timeline.layout';

type Answered = 'source/reveal' | 'scope/set' | `layout/${'restore' | 'store'}` | `ranks/${'list' | 'show' | 'all'}`;

/** What of the extension answers them. */
export interface ViewHandlerServices extends RankOpener {
  readonly scopes: ProfileScopes;
  /** What is kept with the workspace. */
  readonly memory: vscode.Memento;
  readonly revealSource: RevealSource;
  /** Shows a part of the page of a profile's job, which is read first where it is not open. */
  readonly showAllRanks: (key: number, section: JobSection) => Promise<void>;
}

/** What views ask of the editor itself: its files, its memory of the workspace. */
export function viewHandlers({
  store,
  jobs,
  scopes,
  memory,
  revealSource,
  openProfile,
  showAllRanks,
}: ViewHandlerServices): Pick<Handlers<HostRequests>, Answered> {
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
    'ranks/list': ({key}) => offeredRanks(store, jobs, key),
    'ranks/show': ({key, rank}) => openRank({store, jobs, openProfile}, key, rank),
    'ranks/all': async ({key, section}) => {
      await showAllRanks(key, section);
      return undefined;
    },
  };
}
