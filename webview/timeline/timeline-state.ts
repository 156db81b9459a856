import type {TimeWindow} from '../../src/core/layout/time-window.js';
import type {TimelineRows} from '../../src/core/layout/timeline-rows.js';
import type {VisibleSlices} from '../../src/core/layout/visible-slices.js';

/** Sizes in CSS pixels. */
export const gutterPx = 180;
export const rulerPx = 22;

/** Everything that decides the picture. */
export interface TimelineState {
  readonly rows: TimelineRows;
  readonly window: TimeWindow;
  readonly scrollPx: number;
  /** The engine's last answer: drawn scaled until the one for the present window comes. */
  readonly answer: VisibleSlices | null;
  /** How many pixels wide the answer's window was. */
  readonly answerWidthPx: number;
  readonly hovered: BlockRef | null;
  readonly selectedSlice: number;
  /** Names that stand out; the others are dimmed. Empty: all alike. */
  readonly highlighted: ReadonlySet<string>;
}

/** A block of the answer, by its row. */
export interface BlockRef {
  readonly block: number;
}

/** Left edge and width of a block on the screen, in CSS pixels from the gutter's right edge. */
export function blockSpan(state: TimelineState, widthPx: number, block: number): {leftPx: number; widthPx: number} {
  const {answer, answerWidthPx, window} = state;
  if (!answer) return {leftPx: 0, widthPx: 0};
  const nsPerAnswerPx = (answer.toNs - answer.fromNs) / answerWidthPx;
  const pxPerNs = widthPx / (window.toNs - window.fromNs);
  const startNs = answer.fromNs + answer.blocks.leftPx[block] * nsPerAnswerPx;
  return {
    leftPx: (startNs - window.fromNs) * pxPerNs,
    widthPx: answer.blocks.widthPx[block] * nsPerAnswerPx * pxPerNs,
  };
}
