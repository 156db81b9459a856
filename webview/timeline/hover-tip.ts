import {formatCounterValue} from '../../src/core/names/counter-value.js';
import {formatDuration} from '../../src/core/format/duration.js';
import {timeFormatter} from '../../src/core/format/time.js';
import {rowAt} from '../../src/core/layout/timeline-rows.js';
import type {SliceDetails} from '../../src/core/questions/slice-details.js';
import type {VisibleSlices} from '../../src/core/layout/visible-slices.js';
import {Tooltip} from '../shared/tooltip.js';
import {hitAt} from './hit-test.js';
import {largestLines, mergedInstantsText, mergedSlicesText} from './merged-text.js';
import type {Selection} from './selection.js';
import {answerScale, headerPx, type Hovered, type TimelineState} from './timeline-state.js';
import {t} from '../shared/translate.js';

/** The tooltip of the timeline, which describes what is under the mouse. */
export class HoverTip {
  readonly #tooltip: Tooltip;
  #over: {readonly xPx: number; readonly yPx: number} | null = null;
  #shown: Hovered | null = null;
  /** The merged block that was described last, and the lines with its largest names. */
  #merged: {readonly key: string; readonly lines: readonly string[]} | null = null;

  constructor(
    parent: HTMLElement,
    private readonly selection: Selection,
    private readonly trackName: (track: number) => string,
  ) {
    this.#tooltip = new Tooltip(parent);
  }

  /** The position of the mouse; null if it is outside. */
  get over(): {readonly xPx: number; readonly yPx: number} | null {
    return this.#over;
  }

  moveTo(xPx: number, yPx: number): void {
    this.#over = {xPx, yPx};
  }

  leave(): void {
    this.#over = null;
    this.#shown = null;
    this.#tooltip.hide();
  }

  /** Describes what is at a place of the canvas, and returns it. */
  at(state: TimelineState, plotPx: number, xPx: number, yPx: number): Hovered | null {
    const hit = hitAt(state, plotPx, xPx, yPx);
    const isNew = hit?.kind !== this.#shown?.kind || hit?.row !== this.#shown?.row;
    this.#shown = hit;
    if (hit?.kind === 'block') this.#tellBlock(state, hit.row, isNew, xPx, yPx);
    else if (hit) this.#tellInstant(state, hit.row, xPx, yPx);
    else if (!this.#tellCounter(state, plotPx, xPx, yPx) && !this.#tellName(state, xPx, yPx)) this.#tooltip.hide();
    return hit;
  }

  #tellBlock({answer}: TimelineState, block: number, isNew: boolean, xPx: number, yPx: number): void {
    if (!answer) return;
    const {blocks, names} = answer.slices;
    const count = blocks.count[block];
    const name = names[blocks.name[block]] ?? '';
    if (count > 1) {
      this.#tellMerged(answer.slices, block, xPx, yPx);
      return;
    }
    if (isNew) this.#tooltip.show(name, [], xPx, yPx);
    void this.selection.details(blocks.slice[block]).then(details => {
      const isStillThere = this.#over?.xPx === xPx && this.#over.yPx === yPx;
      if (details && isStillThere) this.#tooltip.show(details.name, this.#linesAbout(details), xPx, yPx);
    });
  }

  /** Describes the block at once, and adds its largest names when they arrive. */
  #tellMerged(slices: VisibleSlices, block: number, xPx: number, yPx: number): void {
    const {title, lines} = mergedSlicesText(slices, block);
    const {track, lane, slice, count} = slices.blocks;
    const key = [track, lane, slice, count].map(column => column[block]).join(' ');
    const known = this.#merged?.key === key ? this.#merged.lines : null;
    this.#tooltip.show(title, [...(known ?? []), ...lines], xPx, yPx);
    if (known) return;
    this.#merged = {key, lines: []};
    const asked = {track: track[block], lane: lane[block], slice: slice[block], count: count[block]};
    void this.selection.merged(asked).then(merged => {
      if (!merged || this.#merged?.key !== key) return;
      this.#merged = {key, lines: largestLines(merged)};
      const isStillThere = this.#over?.xPx === xPx && this.#over.yPx === yPx;
      if (isStillThere) this.#tooltip.show(title, [...this.#merged.lines, ...lines], xPx, yPx);
    });
  }

  #linesAbout({startNs, durationNs, track, kind}: SliceDetails): string[] {
    return [
      t('Start {0} · duration {1}', startText({startNs, durationNs}), formatDuration(durationNs)),
      `${this.trackName(track)} · ${kind}`,
    ];
  }

  #tellInstant({answer, answerWidthPx}: TimelineState, row: number, xPx: number, yPx: number): void {
    if (!answer) return;
    const {markers, names, kinds} = answer.instants;
    const {fromNs, toNs} = answer.slices;
    const count = markers.count[row];
    if (count > 1) {
      const {title, lines} = mergedInstantsText(answer.instants, row);
      this.#tooltip.show(title, lines, xPx, yPx);
      return;
    }
    const nsPerPx = (toNs - fromNs) / answerWidthPx;
    const at = timeFormatter(toNs, nsPerPx)(fromNs + markers.atPx[row] * nsPerPx);
    const line = [t('At {0}', at), kinds[markers.kind[row]] ?? ''].join(' · ');
    this.#tooltip.show(names[markers.name[row]] ?? '', [line], xPx, yPx);
  }

  /** Describes the value of a counter under the mouse; returns false if there is no counter. */
  #tellCounter(state: TimelineState, plotPx: number, xPx: number, yPx: number): boolean {
    const topPx = headerPx(state);
    const row = yPx < topPx || xPx < state.gutterPx ? null : rowAt(state.rows, yPx - topPx + state.scrollPx);
    if (row?.kind !== 'counter' || !state.answer) return false;
    const {counter, atPx, last, low, high, length} = state.answer.counters;
    const {scale, shiftPx} = answerScale(state, plotPx);
    let found = -1;
    for (let i = 0; i < length; i++) {
      if (counter[i] === row.counter.counter && atPx[i] * scale + shiftPx <= xPx - state.gutterPx) found = i;
    }
    const {unit, name} = row.counter;
    const text = (value: number) => formatCounterValue(value, unit);
    if (found < 0) this.#tooltip.show(name, [t('No value yet')], xPx, yPx);
    else {
      const lines = [text(last[found])];
      if (low[found] !== high[found])
        lines.push(t('within this pixel {0} to {1}', text(low[found]), text(high[found])));
      this.#tooltip.show(name, lines, xPx, yPx);
    }
    return true;
  }

  /** Shows the whole name of a row, which the gutter may cut. */
  #tellName(state: TimelineState, xPx: number, yPx: number): boolean {
    const topPx = headerPx(state);
    const row = yPx < topPx || xPx >= state.gutterPx ? null : rowAt(state.rows, yPx - topPx + state.scrollPx);
    if (!row || row.kind === 'group') return false;
    this.#tooltip.show(row.label, [], xPx, yPx);
    return true;
  }
}

/** Returns the start of a slice, to a hundredth of its duration. */
export function startText({startNs, durationNs}: {readonly startNs: number; readonly durationNs: number}): string {
  return timeFormatter(startNs, durationNs / 100)(startNs);
}
