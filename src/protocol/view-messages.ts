import type {RangeStack, StackKind} from '../core/attribution/range-stack.js';
import type {Selection} from '../core/scope/selection.js';
import type {TimeWindow} from '../core/base/time-window.js';
import type {TraceInfo} from '../core/questions/info.js';
import type {SketchPicture} from '../core/questions/trace-sketch.js';
import type {ProcessChoice} from '../core/scope/processes.js';
import type {Step} from '../core/scope/steps.js';
import type {AlignedSteps, LinkedView} from '../core/layout/linked-view.js';
import type {TimelineSummary} from '../core/layout/timeline-summary.js';
import type {ReportFormat} from '../core/reports/report-text.js';
import type {RowDurations} from '../core/tabs/row-durations.js';
import type {TableQuery} from '../core/tabs/table-page.js';
import type {ModulesShown} from '../core/figures/modules-shown.js';
import type {TableTab} from '../core/tabs/tab-list.js';
import type {ProfileFindings} from '../core/findings/findings-page.js';
import type {ProfileQueries, TableQueries} from './profile-messages.js';
import type {RankRequests, RankViewRequests} from './rank-messages.js';

/** A profile as views show it. */
export interface ProfileView extends TimelineSummary {
  /** Changes when another file, or the same one again, is shown. */
  readonly key: number;
  /** Distinguishes files, and versions of one file: a view stores its state of a profile under this key. */
  readonly identity: string;
  readonly name: string;
  readonly info: TraceInfo;
  readonly steps: readonly Step[];
  /** The processes that it can be narrowed to; empty if there is only one. */
  readonly processes: readonly ProcessChoice[];
  readonly modules: ModulesShown;
}

/** What a view shows: a profile, a profile that is being opened, an error, a closed profile, or nothing. */
export type ViewContent =
  | {readonly state: 'empty'}
  | {readonly state: 'closed'; readonly name: string}
  | {
      readonly state: 'opening';
      /** The key of the profile once it is open; -1 before anything was read. */
      readonly key: number;
      readonly name: string;
      readonly step: 'export' | 'read';
      readonly fraction: number;
      readonly events: number;
      /** What was read so far; only for timelines. Absent if the view already has it. */
      readonly picture?: SketchPicture;
    }
  | {readonly state: 'failed'; readonly name: string; readonly message: string; readonly canOpenWith: boolean}
  | {
      readonly state: 'open';
      readonly profile: ProfileView;
      /** The window that limits its figures, in every view that follows the timeline; null for none. */
      readonly scope: TimeWindow | null;
    };

/** A slice to scroll to, with the names of the other slices of its range. */
export interface RevealTarget {
  readonly slice: number;
  readonly fromNs: number;
  readonly toNs: number;
  readonly names: readonly string[];
}

/** Buttons in views that run commands of the extension. */
export type ViewCommand =
  | 'open-profile'
  | 'open-again'
  | 'profile-model-step'
  | 'open-with'
  | 'show-log'
  | 'show-flame'
  | 'show-timeline'
  | 'show-findings'
  | 'cancel-open'
  | 'save-part'
  | 'switch-profile';

/** A file that a view made for the user to save. */
export interface FileToSave {
  /** A proposed name, without a folder. */
  readonly name: string;
  readonly content: string | Uint8Array;
}

/** A row of a table, and the part of the profile that the table covers. */
export interface ShownRow {
  readonly kind: TableTab['row'];
  readonly name: string;
  readonly selection: Selection;
  /** The slices that count as ranges in the table. */
  readonly stack: RangeStack;
}

/** The contents of a flame graph. */
export interface ShownSelection {
  readonly selection: Selection;
  /** The kinds of ranges that the selection's range belongs to. */
  readonly stack: RangeStack;
  /** The name whose callers and callees are shown, null for all. */
  readonly focus: string | null;
}

/** The views that can show a row of a table. `what-if` asks what could be different about it. */
export type RowTarget = 'timeline' | 'flame' | 'source' | 'what-if';

/** Requests from the views to the extension host. */
export interface HostRequests extends ProfileQueries<{key: number}>, TableQueries<{key: number}>, RankRequests {
  /** The view is ready: from now on, the host sends the content whenever it changes. */
  'view/ready': {params: undefined; result: undefined};
  'view/command': {params: {command: ViewCommand}; result: undefined};
  /** The value that was stored for the workspace under a name, or null. */
  'layout/restore': {params: undefined; result: unknown};
  'layout/store': {params: {layout: unknown}; result: undefined};
  /** Limits the figures of a profile to a window, in editors and views; null for the whole profile. */
  'scope/set': {params: {key: number; window: TimeWindow | null}; result: undefined};
  /** Copies the filtered rows to the clipboard. */
  'tables/copy': {params: {key: number; query: TableQuery; format: ReportFormat}; result: undefined};
  /** Shows the subject of a row in another view. */
  'tables/show': {params: {key: number; row: ShownRow; in: RowTarget}; result: undefined};
  'tables/durations': {params: {key: number; row: ShownRow}; result: RowDurations | null};
  /** Opens the tables at one of them. */
  'tables/open': {params: {key: number; tab: string}; result: undefined};
  /** The findings of a profile. They take longer than its summary. */
  'summary/findings': {params: {key: number}; result: ProfileFindings};
  /** Opens the line of the workspace that opened a range, or the file of a Python frame; false if it is unknown. */
  'source/reveal': {params: {key: number; name: string}; result: boolean};
  'timeline/show': {params: RevealTarget; result: undefined};
  /** A linked timeline was panned or zoomed, went to another step, or its cursor moved. */
  'timeline/linked': {params: LinkedView; result: undefined};
  /** Ends the link of this timeline with another one. */
  'timeline/unlink': {params: undefined; result: undefined};
  /** Shows the memory of a profile at a time; `device` is -1 for the host's. */
  'memory/show': {params: {key: number; atNs: number; device: number}; result: undefined};
  'clipboard/write': {params: {text: string}; result: undefined};
  /** Asks the user where to write a file; false if the user cancels. */
  'file/save': {params: FileToSave; result: boolean};
}

/** Requests from the extension host to a view. */
export interface ViewRequests {
  'view/content': {params: ViewContent; result: undefined};
}

/** Requests from the extension host to the roofline. */
export type RooflineViewRequests = ViewRequests & RankViewRequests;

/** Requests from the extension host to the summary. */
export interface SummaryViewRequests extends ViewRequests, RankViewRequests {
  /** Rules or dismissals have changed: the summary asks for the findings again. */
  'findings/changed': {params: undefined; result: undefined};
}

/** Requests from the extension host to the flame graph and the tables. */
interface RangeViewRequests extends ViewRequests, RankViewRequests {
  /**
   * Shows the contents of a range, named as in Nsight (`range[@domain][/index]`): its flame graph, or its kernels;
   * within a window, if figures are narrowed to one.
   */
  /** `kind` is the kind of the range, if the user did not name it. */
  'range/show': {params: {range: string; window: TimeWindow | null; kind?: StackKind}; result: undefined};
}

/** Requests from the extension host to the tables. */
export interface TablesViewRequests extends RangeViewRequests {
  /** Shows a table. */
  'tables/choose': {params: {tab: string}; result: undefined};
}

/** Requests from the extension host to the flame graph. */
export interface FlameViewRequests extends RangeViewRequests {
  /** Shows a selection; with a name, its callers and callees there. */
  'flame/show': {params: ShownSelection; result: undefined};
}

/** The other timeline of a link: both show the same time from the start of their steps. */
export interface TimelineLink {
  /** The name of the other profile. */
  readonly name: string;
  readonly own: AlignedSteps;
  readonly other: AlignedSteps;
  /** The visible part of both; null if they were just linked, which shows the compared steps. */
  readonly view: LinkedView | null;
}

/** Requests from the extension host to the timeline. */
export interface TimelineViewRequests extends ViewRequests, RankViewRequests {
  'timeline/reveal': {params: RevealTarget; result: undefined};
  /** Names of the ranges at the cursor in the source; other ranges are dimmed. Empty for no dimming. */
  'timeline/highlight': {params: {names: readonly string[]}; result: undefined};
  'timeline/search': {params: undefined; result: undefined};
  /** Links the timeline with another one, or says that it is no longer linked. */
  'timeline/link': {params: {link: TimelineLink | null}; result: undefined};
  /** The part of the other timeline that is visible now. */
  'timeline/linked': {params: LinkedView; result: undefined};
}

/** All requests to views. */
export type AnyViewRequests = TimelineViewRequests & FlameViewRequests & TablesViewRequests & SummaryViewRequests;
