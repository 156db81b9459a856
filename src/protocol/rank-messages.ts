import type {JobRanks, JobSection} from '../core/job/rank-choices.js';

/** What a view with a selector of ranks asks of the extension host. */
export interface RankRequests {
  /** The ranks of a profile's job that can be shown; null where it is no job's, or no other rank is at hand. */
  'ranks/list': {params: {key: number}; result: JobRanks | null};
  /** Shows the profile of another rank in its place; false where it cannot be opened. */
  'ranks/show': {params: {key: number; rank: number}; result: boolean};
  /** Shows all ranks of a profile's job: a part of the job's page, which is read first where it is not open. */
  'ranks/all': {params: {key: number; section: JobSection}; result: undefined};
}
