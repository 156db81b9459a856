import type * as vscode from 'vscode';
import type {Handlers} from '../../protocol/rpc.js';
import type {HostRequests} from '../../protocol/view-messages.js';
import type {RevealSource} from '../source/reveal-source.js';
import type {ProfileScopes} from '../profiles/profile-scopes.js';
import {jobRanks} from '../profiles/job-ranks.js';
import type {JobStore} from '../profiles/job-store.js';
import type {ProfileStore} from '../profiles/profile-store.js';

/** What the timeline's layout is kept under, with the workspace. */
const layoutKey = 'timeline.layout';

type Answered = 'source/reveal' | 'layout/restore' | 'layout/store' | 'ranks/list' | 'ranks/show' | 'scope/set';

/** What of the extension answers them. */
export interface ViewHandlerServices {
  readonly store: ProfileStore;
  readonly jobs: JobStore;
  readonly scopes: ProfileScopes;
  /** What is kept with the workspace. */
  readonly memory: vscode.Memento;
  readonly revealSource: RevealSource;
  /** Opens a file and shows it; false where that failed, which the user has been told. */
  readonly openProfile: (path: string) => Promise<boolean>;
}

/** What views ask of the editor itself: its files, its memory of the workspace. */
export function viewHandlers({
  store,
  jobs,
  scopes,
  memory,
  revealSource,
  openProfile,
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
    'ranks/list': async ({key}) => {
      const {shown, files} = await jobRanks(store, jobs, key);
      if (shown === null || files.length < 2) return null;
      return {
        shown,
        ranks: files.map(({rank}) => rank),
        files: files.map(({identity}) => identity),
        texts: files.map(({text}) => text),
      };
    },
    'ranks/show': async ({key, rank}) => {
      const file = (await jobRanks(store, jobs, key)).files.find(one => one.rank === rank);
      const path = file?.path ?? (await jobs.fileOf(rank));
      return file !== undefined && path !== null && (await openProfile(path));
    },
  };
}
