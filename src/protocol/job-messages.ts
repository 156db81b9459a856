import type {JobSection} from '../core/job/rank-choices.js';
import type {JobTimeline} from '../core/job/job-timeline.js';
import type {JobView} from '../core/job/job-view.js';
import type {TimelineWindow} from '../core/job/timeline-window.js';

/** What the view of a job shows. */
export type JobContent =
  | {readonly state: 'empty'}
  | {
      readonly state: 'open';
      /** Changes with every job that is read. */
      readonly key: number;
      readonly name: string;
      readonly view: JobView;
      readonly timeline: Pick<JobTimeline, 'fromNs' | 'toNs' | 'lanes' | 'kinds' | 'clocks'>;
      /** The rank whose profile is active; null if none of this job is. */
      readonly shown: number | null;
    };

/** Requests from the view of a job to the extension host. */
export interface JobHostRequests {
  'view/ready': {params: undefined; result: undefined};
  /** Reads a job. If none is at hand, asks the user for one. */
  'job/open': {params: undefined; result: undefined};
  /** Opens the profile of a rank, and shows a window of its time or a range in the timeline. */
  'job/timeline': {
    params: {rank: number; window: {fromNs: number; toNs: number} | null; range: string | null};
    result: undefined;
  };
  /** All ranks in a window of the first rank's clock, or in a step; null if no job is open, or it lacks the step. */
  'job/window': {
    params: {window: {fromNs: number; toNs: number} | {step: number}; pixels: number};
    result: TimelineWindow | null;
  };
  /** Copies the job as Markdown to the clipboard. */
  'clipboard/write': {params: {text: string}; result: undefined};
  'job/copy': {params: undefined; result: undefined};
}

/** Requests from the extension host to the view. */
export interface JobViewRequests {
  'job/content': {params: JobContent; result: undefined};
  /** Scrolls to a part of the page, or says that this job does not have it. */
  'job/section': {params: {section: JobSection}; result: undefined};
}
