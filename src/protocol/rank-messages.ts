import type {JobRanks, JobSection} from '../core/job/rank-choices.js';

/** Requests from a view with a rank selector to the extension host. */
export interface RankRequests {
  /** The ranks of a profile's job that can be shown; null if it belongs to no job, or no other rank is at hand. */
  'ranks/list': {params: {key: number}; result: JobRanks | null};
  /** Shows the profile of another rank instead; false if it cannot be opened. Fails if the rank has no file. */
  'ranks/show': {params: {key: number; rank: number}; result: boolean};
  /** Shows all ranks of a profile's job, in a part of the job's page. Reads the job first if it is not open. */
  'ranks/all': {params: {key: number; section: JobSection}; result: undefined};
}

/** Requests from the extension host to a view with a rank selector. */
export interface RankViewRequests {
  /** Another job is active, or none: the view asks for its ranks again. */
  'ranks/changed': {params: undefined; result: undefined};
}
