import type {JobView} from '../core/job/job-view.js';

/** What the view of a job shows. */
export type JobContent =
  | {readonly state: 'empty'}
  | {
      readonly state: 'open';
      /** Changes with every job that is read. */
      readonly key: number;
      readonly name: string;
      readonly view: JobView;
      /** The rank whose profile is active; null if none of this job is. */
      readonly shown: number | null;
    };

/** What the view of a job asks of the extension host. */
export interface JobHostRequests {
  'view/ready': {params: undefined; result: undefined};
  /** Reads a job: asks which where none is at hand. */
  'job/open': {params: undefined; result: undefined};
  /** Opens the profile of a rank, and shows a window of its time or a range in the timeline. */
  'job/timeline': {
    params: {rank: number; window: {fromNs: number; toNs: number} | null; range: string | null};
    result: undefined;
  };
  /** The job as a page of Markdown, on the clipboard. */
  'job/copy': {params: undefined; result: undefined};
}

/** What the extension host asks of the view. */
export interface JobViewRequests {
  'job/content': {params: JobContent; result: undefined};
}
