import type {JobSection} from '../../core/job/rank-choices.js';
import type {RankRequests} from '../../protocol/rank-messages.js';
import type {Handlers} from '../../protocol/rpc.js';
import {offeredRanks, openRank, type RankOpener} from './job-ranks.js';

export interface RankServices extends RankOpener {
  /** Shows a section of a profile's job page, and reads the job first if it is not open. */
  readonly showAllRanks: (key: number, section: JobSection) => Promise<void>;
}

/** Returns the handlers of a view's rank selector. */
export function rankHandlers(services: RankServices): Handlers<RankRequests> {
  const {store, jobs, showAllRanks} = services;
  return {
    'ranks/list': ({key}) => offeredRanks(store, jobs, key),
    'ranks/show': ({key, rank}) => openRank(services, key, rank),
    'ranks/all': async ({key, section}) => {
      await showAllRanks(key, section);
      return undefined;
    },
  };
}
