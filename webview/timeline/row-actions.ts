import {placeBeside, withRowAt, type RowPlace} from '../../src/core/layout/row-order.js';
import {rowOfLane, type TimelineRow} from '../../src/core/layout/timeline-rows.js';
import {toggled} from '../../src/core/base/toggled.js';
import type {Picture} from './picture.js';
import {placeText, rowBeside, rowText} from './row-focus.js';
import type {Selection} from './selection.js';
import type {TimelineListener} from './timeline-listener.js';

/** Actions of the keyboard and the mouse on a row: focus, fold, pin and move. Each is announced. */
export class RowActions {
  #isJustChosen = false;

  constructor(
    private readonly picture: Picture,
    private readonly selection: Pick<Selection, 'slice'>,
    private readonly listener: TimelineListener,
  ) {}

  /** The row focused by keys. */
  get focused(): TimelineRow | null {
    return this.picture.rowOf(this.picture.state.focusedRow);
  }

  /** The selection was made in another way: the next one starts from it. */
  forgetChoice(): void {
    this.#isJustChosen = false;
  }

  /** Returns the row that was focused since the last selection, on which the next selection will be; null for none. */
  takeJustChosen(): TimelineRow | null {
    const row = this.#isJustChosen ? this.focused : null;
    this.forgetChoice();
    return row;
  }

  /** Focuses the row above or below. */
  focus(direction: -1 | 1): void {
    const row = rowBeside(this.picture.state.rows, this.#row?.key ?? '', direction);
    if (!row) return;
    this.#isJustChosen = true;
    this.picture.update({focusedRow: row.key});
    this.picture.scrollToRow(row);
    this.listener.rowFocused(rowText(row));
  }

  /** Moves the row one place up or down. */
  move(direction: -1 | 1): void {
    const row = this.#row;
    this.put(row, row && placeBeside(this.picture.state.rows, row, direction));
  }

  /** Moves a row's group to another place; `place` is null if it is at the end already. */
  put(row: TimelineRow | null, place: RowPlace | null): void {
    const {profile, layout} = this.picture;
    if (!profile || !row) return;
    if (place) this.picture.arrange(withRowAt(profile, layout, row, place), this.picture.state.coloring);
    const moved = this.picture.rowOf(row.key);
    if (!moved) return;
    this.picture.scrollToRow(moved);
    this.listener.rowFocused(placeText(this.picture.state.rows, moved));
  }

  /** Folds or opens a row, by default the one that keys act on. */
  fold(key = this.#row?.key): void {
    this.#toggle('toggled', key);
  }

  /** Pins a row to the top, or unpins it; a heading cannot be pinned. */
  pin(row = this.#row): void {
    this.#toggle('pinned', row?.kind === 'group' ? undefined : row?.key);
  }

  /** The row that keys act on: the focused one, else that of the selection. */
  get #row(): TimelineRow | null {
    const {slice} = this.selection;
    return this.focused ?? (slice && rowOfLane(this.picture.state.rows, slice.track, slice.lane));
  }

  #toggle(what: 'toggled' | 'pinned', key: string | undefined): void {
    if (key === undefined) return;
    const {layout, state} = this.picture;
    this.picture.arrange({...layout, [what]: toggled(layout[what], key)}, state.coloring);
    const row = this.picture.rowOf(key);
    if (row) this.listener.rowFocused(rowText(row));
  }
}
