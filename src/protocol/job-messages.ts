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
  /** What all ranks did in a window of the first rank's clock, or in a step; null where none is open or has that step. */
  'job/window': {
    params: {window: {fromNs: number; toNs: number} | {step: number}; pixels: number};
    result: TimelineWindow | null;
  };
  /** The job as a page of Markdown, on the clipboard. */
  'clipboard/write': {params: {text: string}; result: undefined};
  'job/copy': {params: undefined; result: undefined};
}

/** What the extension host asks of the view. */
export interface JobViewRequests {
  'job/content': {params: JobContent; result: undefined};
  /** Brings a part of the page into sight, or says that this job has none. */
  'job/section': {params: {section: JobSection}; result: undefined};
}
