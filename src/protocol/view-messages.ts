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
import type {RankRequests} from './rank-messages.js';

/** A profile as views show it. */
export interface ProfileView extends TimelineSummary {
  /** Changes when another file, or the same one again, is shown. */
  readonly key: number;
  /** Tells files apart, and versions of one: what a view remembers of a profile is remembered under this. */
  readonly identity: string;
  readonly name: string;
  readonly info: TraceInfo;
  readonly steps: readonly Step[];
  /** Those that it can be narrowed to; none where there is one. */
  readonly processes: readonly ProcessChoice[];
  readonly modules: ModulesShown;
}

/** What a view shows: a profile, one being opened, the reason why it cannot be, one that was closed, or nothing. */
export type ViewContent =
  | {readonly state: 'empty'}
  | {readonly state: 'closed'; readonly name: string}
  | {
      readonly state: 'opening';
      /** That of the profile, once it is open; -1 before anything of it was read. */
      readonly key: number;
      readonly name: string;
      readonly step: 'export' | 'read';
      readonly fraction: number;
      readonly events: number;
      /** What was read so far, of timelines alone: absent where it is what the view was sent before. */
      readonly picture?: SketchPicture;
    }
  | {readonly state: 'failed'; readonly name: string; readonly message: string; readonly canOpenWith: boolean}
  | {
      readonly state: 'open';
      readonly profile: ProfileView;
      /** The window that figures of it are narrowed to, in every view that follows the timeline; null for none. */
      readonly scope: TimeWindow | null;
    };

/** A slice to bring into view, with the names that make the others of its range. */
export interface RevealTarget {
  readonly slice: number;
  readonly fromNs: number;
  readonly toNs: number;
  readonly names: readonly string[];
}

/** Buttons of the views that run commands of the extension. */
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

/** What a view has made for the user to keep. */
export interface FileToSave {
  /** A proposal, without a folder. */
  readonly name: string;
  readonly content: string | Uint8Array;
}

/** A row of a table, and what the table is of. */
export interface ShownRow {
  readonly kind: TableTab['row'];
  readonly name: string;
  readonly selection: Selection;
  /** What the table takes for ranges. */
  readonly stack: RangeStack;
}

/** What a flame graph is asked to show. */
export interface ShownSelection {
  readonly selection: Selection;
  /** What the range of the selection is one of. */
  readonly stack: RangeStack;
  /** The name whose callers and callees are shown, null for all. */
  readonly focus: string | null;
}

/** Where a row of a table can be shown; `what-if`: what could be different about it. */
export type RowTarget = 'timeline' | 'flame' | 'source' | 'what-if';

/** What the views ask of the extension host. */
export interface HostRequests extends ProfileQueries<{key: number}>, TableQueries<{key: number}>, RankRequests {
  /** The view's scripts run: the host sends the content from now on, whenever it changes. */
  'view/ready': {params: undefined; result: undefined};
  'view/command': {params: {command: ViewCommand}; result: undefined};
  /** What was stored for the workspace under a name, null for nothing. */
  'layout/restore': {params: undefined; result: unknown};
  'layout/store': {params: {layout: unknown}; result: undefined};
  /** Narrows figures of a profile to a window, in editors and views; null for the whole of it. */
  'scope/set': {params: {key: number; window: TimeWindow | null}; result: undefined};
  /** Puts the rows that the query keeps onto the clipboard. */
  'tables/copy': {params: {key: number; query: TableQuery; format: ReportFormat}; result: undefined};
  /** Shows what a row is about elsewhere. */
  'tables/show': {params: {key: number; row: ShownRow; in: RowTarget}; result: undefined};
  'tables/durations': {params: {key: number; row: ShownRow}; result: RowDurations | null};
  /** Opens the tables at one of them. */
  'tables/open': {params: {key: number; tab: string}; result: undefined};
  /** What stands in the way of a profile, which takes longer than its summary. */
  'summary/findings': {params: {key: number}; result: ProfileFindings};
  /** Opens the line of the workspace that opened a range, or the file of a Python frame; false where none is known. */
  'source/reveal': {params: {key: number; name: string}; result: boolean};
  'timeline/show': {params: RevealTarget; result: undefined};
  /** A linked timeline was panned or zoomed, went to another step, or its cursor moved. */
  'timeline/linked': {params: LinkedView; result: undefined};
  /** Ends the link of this timeline with another one. */
  'timeline/unlink': {params: undefined; result: undefined};
  /** Shows the memory of a profile at a time; `device` is -1 for the host's. */
  'memory/show': {params: {key: number; atNs: number; device: number}; result: undefined};
  'clipboard/write': {params: {text: string}; result: undefined};
  /** Asks the user where to write a file; false where there was no answer. */
  'file/save': {params: FileToSave; result: boolean};
}

/** What the extension host asks of a view. */
export interface ViewRequests {
  'view/content': {params: ViewContent; result: undefined};
}

/** What the extension host asks of the flame graph and of the tables. */
interface RangeViewRequests extends ViewRequests {
  /**
   * Shows what a range holds, named as Nsight does (`range[@domain][/index]`): its flame graph, or its kernels. In a
   * window, where figures are narrowed to one.
   */
  /** `kind` says what the range is where no person named it. */
  'range/show': {params: {range: string; window: TimeWindow | null; kind?: StackKind}; result: undefined};
}

/** What the extension host asks of the tables. */
export interface TablesViewRequests extends RangeViewRequests {
  /** Shows a table. */
  'tables/choose': {params: {tab: string}; result: undefined};
}

/** What the extension host asks of the flame graph. */
export interface FlameViewRequests extends RangeViewRequests {
  /** Shows a selection; with a name, its callers and callees there. */
  'flame/show': {params: ShownSelection; result: undefined};
}

/** Another timeline that one is linked with: both show the same time from the start of their steps. */
export interface TimelineLink {
  /** What the other one is called. */
  readonly name: string;
  readonly own: AlignedSteps;
  readonly other: AlignedSteps;
  /** What is in sight of both; null where they have just been linked: the compared steps. */
  readonly view: LinkedView | null;
}

/** What the extension host asks of the timeline. */
export interface TimelineViewRequests extends ViewRequests {
  'timeline/reveal': {params: RevealTarget; result: undefined};
  /** Names of ranges that stand out, the others dimmed: where the cursor is in the source. Empty: all alike. */
  'timeline/highlight': {params: {names: readonly string[]}; result: undefined};
  'timeline/search': {params: undefined; result: undefined};
  /** Links the timeline with another one, or says that it is no longer linked. */
  'timeline/link': {params: {link: TimelineLink | null}; result: undefined};
  /** What is in sight of the other timeline now. */
  'timeline/linked': {params: LinkedView; result: undefined};
}

/** All that some view can be asked. */
export type AnyViewRequests = TimelineViewRequests & FlameViewRequests & TablesViewRequests;
