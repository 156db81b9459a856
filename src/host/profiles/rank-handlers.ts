import type {JobSection} from '../../core/job/rank-choices.js';
import type {RankRequests} from '../../protocol/rank-messages.js';
import type {Handlers} from '../../protocol/rpc.js';
import {offeredRanks, openRank, type RankOpener} from './job-ranks.js';

export interface RankServices extends RankOpener {
  /** Shows a part of the page of a profile's job, which is read first where it is not open. */
  readonly showAllRanks: (key: number, section: JobSection) => Promise<void>;
}

/** What the selector of ranks of a view asks. */
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
