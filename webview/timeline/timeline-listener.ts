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

/** What of the picture is told in words, beside the canvas. */
export interface TimelineListener {
  windowChanged(window: TimeWindow): void;
  /** The mouse points at a time, else the selection; null where neither does. */
  pointed(ns: number | null): void;
  /** Where the next or previous step is counted from, while a window is in sight. */
  stepFrom(window: TimeWindow): TimeWindow;
  /** The window that shows a step. */
  stepWindow(step: Step): TimeWindow;
  /** Escape was pressed, and nothing is selected that it could take away. */
  nothingToClear(): void;
  /** Rows, colours or folds were arranged differently; the layout has the folds that are to be kept. */
  layoutChanged(layout: TimelineLayout, coloring: Coloring): void;
  selectionChanged(slice: SliceDetails | null, instant: InstantDetails | null, trackName: string): void;
  contextRead(context: SliceContext): void;
  /** What the file says of the selection. */
  argumentsRead(args: readonly SliceArgument[]): void;
  /** How much longer the selection could take. */
  slackRead(slack: SliceSlack): void;
  /** Another critical path is drawn, or none. @param isOn also while it is being found */
  pathChanged(path: PathPicture | null, isOn: boolean): void;
  /** Something was chosen that stands for several: what it is. */
  mergedChosen(text: string): void;
  /** An area was marked, or is no longer. */
  areaChanged(selection: WindowSelection | null): void;
  /** A slice was brought into sight, other than by a search, and what hid it taken away: mostly nothing. */
  uncovered(hidBy: readonly Hiding[]): void;
  /** A state has been drawn. @param visiblePx how much of the rows is in sight */
  drawn(state: TimelineState, visiblePx: number): void;
  /** Keys act on this row now, or it was folded, pinned or moved: how it is. */
  rowFocused(text: string): void;
  /** A counter of memory was clicked, at a time. */
  memoryChosen(counter: CounterSummary, atNs: number): void;
  searchWanted(): void;
  helpWanted(): void;
  failed(error: unknown): void;
}
