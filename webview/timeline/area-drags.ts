import type {TimeWindow} from '../../src/core/base/time-window.js';
import {areaOver} from './area-place.js';
import {areaSelection} from './area-selection.js';
import {dragged, dragStart, type DragStart} from './drag.js';
import type {Picture} from './picture.js';
import type {RowActions} from './row-actions.js';
import type {TimelineListener} from './timeline-listener.js';
import type {Area} from './timeline-state.js';

/** Handles drags, and the area that a drag or a key marks. */
export class AreaDrags {
  #drag: DragStart | null = null;

  constructor(
    private readonly picture: Picture,
    private readonly rows: RowActions,
    private readonly listener: TimelineListener,
  ) {}

  /** Begins a drag; its place on the canvas decides what it does. */
  begin(xPx: number, yPx: number): void {
    this.#drag = dragStart(this.picture.state, this.picture.plotPx, {xPx, yPx});
  }

  moveTo(xPx: number, yPx: number): void {
    if (!this.#drag) return;
    const {state, plotPx} = this.picture;
    const change = dragged(state, plotPx, this.#drag, {xPx, yPx});
    this.picture.update(change);
    if (change.window) this.listener.windowChanged(change.window);
  }

  end(): void {
    const {drop} = this.picture.state;
    this.cancel();
    if (drop) this.rows.put(drop.row, drop.place);
  }

  /** Cancels a drag; a dragged row stays in its place. */
  cancel(): void {
    const kind = this.#drag?.kind;
    const {area} = this.picture.state;
    this.#drag = null;
    this.picture.update({drop: null});
    // The area is what was drawn by then: none for a drag that ended below all rows.
    if (kind === 'area') this.mark(area);
  }

  /** Marks a window over a row, or over all rows if that is null; a null window removes the area. */
  markWindow(window: TimeWindow | null, row = this.rows.focused): void {
    this.mark(window && areaOver(this.picture.spanNs, window, row));
  }

  /** Marks an area, or removes the marked one. */
  mark(area: Area | null): void {
    // An area without time would narrow figures to nothing.
    const marked = area && area.toNs > area.fromNs ? area : null;
    this.picture.update({area: marked});
    this.listener.areaChanged(marked && areaSelection(this.picture.allRows, marked));
  }
}
