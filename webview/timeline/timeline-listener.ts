import type {TimeWindow} from '../../src/core/base/time-window.js';
import type {Hiding} from '../../src/core/layout/row-showing.js';
import type {CounterSummary} from '../../src/core/layout/timeline-summary.js';
import type {TimelineLayout} from '../../src/core/layout/timeline-rows.js';
import type {SliceContext} from '../../src/core/questions/slice-context.js';
import type {InstantDetails, SliceArgument, SliceDetails} from '../../src/core/questions/slice-details.js';
import type {WindowSelection} from '../../src/core/questions/window-summary.js';
import type {Step} from '../../src/core/scope/steps.js';
import type {PathPicture, SliceSlack} from '../../src/core/what-if/recorded/path-at.js';
import type {Coloring, TimelineState} from './timeline-state.js';

/** Receives what the view shows as text beside the canvas. */
export interface TimelineListener {
  windowChanged(window: TimeWindow): void;
  /** The time under the mouse, else the selection's; null for neither. */
  pointed(ns: number | null): void;
  /** Returns where to count the next or previous step from, for the visible window. */
  stepFrom(window: TimeWindow): TimeWindow;
  /** Returns the window that shows a step. */
  stepWindow(step: Step): TimeWindow;
  /** A step fills the window now. */
  stepShown(step: Step): void;
  /** Escape was pressed, and there is no selection to clear. */
  nothingToClear(): void;
  /** The arrangement of rows, colours or folds has changed; the layout contains the folds to store. */
  layoutChanged(layout: TimelineLayout, coloring: Coloring): void;
  selectionChanged(slice: SliceDetails | null, instant: InstantDetails | null, trackName: string): void;
  contextRead(context: SliceContext): void;
  /** The file's data on the selection. */
  argumentsRead(args: readonly SliceArgument[]): void;
  /** How much longer the selection could take without delaying its step. */
  slackRead(slack: SliceSlack): void;
  /** Another critical path is shown, or none. @param isOn whether it is switched on; also while the path is computed */
  pathChanged(path: PathPicture | null, isOn: boolean): void;
  /** A merged mark was clicked; its description. */
  mergedChosen(text: string): void;
  /** An area was marked or removed. */
  areaChanged(selection: WindowSelection | null): void;
  /** A slice was shown other than by a search, after removing what hid it: mostly nothing. */
  uncovered(hidBy: readonly Hiding[]): void;
  /** A state was drawn. @param visiblePx height of the visible rows */
  drawn(state: TimelineState, visiblePx: number): void;
  /** Keys act on this row now, or it was folded, pinned or moved; its description. */
  rowFocused(text: string): void;
  /** A counter of memory was clicked, at a time. */
  memoryChosen(counter: CounterSummary, atNs: number): void;
  searchWanted(): void;
  helpWanted(): void;
  /** Closes the list of keys. Returns whether it was open. */
  closeHelp(): boolean;
  failed(error: unknown): void;
}
