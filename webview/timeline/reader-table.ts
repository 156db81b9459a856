import {formatCount} from '../../src/core/format/count.js';
import {formatDuration} from '../../src/core/format/duration.js';
import {timeFormatter} from '../../src/core/format/time.js';
import {element} from '../shared/dom.js';
import {sightOf} from './slice-source.js';
import type {TimelineState} from './timeline-state.js';
import {counted, t} from '../shared/translate.js';

/** A screen reader reads a table row by row: the widest rows matter most. */
const mostRows = 50;
const delayMs = 400;

/** The visible content as a table for screen readers. */
export class ReaderTable {
  readonly #body = element('tbody');
  readonly #caption = element('caption', {text: t('In view')});
  readonly element = element('div', {
    className: 'only-read',
    attributes: {'data-testid': 'in-view'},
    children: [element('table', {children: [this.#caption, header(), this.#body]})],
  });
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The state that the table describes. */
  #told: readonly unknown[] = [];

  constructor(private readonly trackName: (track: number) => string) {}

  /** Describes a picture once it rests. @param visiblePx height of the visible rows */
  show(state: TimelineState, visiblePx: number): void {
    const {answer, window, rows, scrollPx, selectedSlice} = state;
    const told = [answer, window, rows, scrollPx, selectedSlice, visiblePx];
    // Mouse movements alone also cause drawing.
    if (told.every((part, at) => part === this.#told[at])) return;
    this.#told = told;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#fill(state, visiblePx), delayMs);
  }

  #fill(state: TimelineState, visiblePx: number): void {
    const rows = inView(state, visiblePx, mostRows);
    this.#caption.textContent = captionOf(rows.length);
    this.#body.replaceChildren(
      ...rows.map(({name, track, startNs, durationNs, count, isSelected}) => {
        const several =
          count > 1 ? t('{0} slices{1}', formatCount(count), name === '' ? '' : t(' of {0}', name)) : name;
        const shown = isSelected ? t('{0}, selected', several) : several;
        const start = timeFormatter(startNs, durationNs / 100)(startNs);
        const cells = [shown, this.trackName(track), start, formatDuration(durationNs)];
        return element('tr', {children: cells.map(text => element('td', {text}))});
      }),
    );
  }
}

/** Returns the caption of a table of the longest visible slices. */
export function captionOf(slices: number): string {
  if (slices === 0) return t('In view: no slices');
  return counted(slices, 'In view: {0} slice', 'In view: the {0} longest slices');
}

/** A slice, or several that are drawn as one. */
export interface ReadRow {
  readonly name: string;
  readonly track: number;
  readonly startNs: number;
  readonly durationNs: number;
  readonly count: number;
  readonly isSelected: boolean;
}

/** Returns the longest visible blocks of a state, at most `most`, in order of track and time. */
export function inView(state: TimelineState, visiblePx: number, most: number): ReadRow[] {
  const {answer, answerWidthPx, window, rows, scrollPx, selectedSlice} = state;
  if (!answer) return [];
  const {lanes} = sightOf(rows, scrollPx, scrollPx + visiblePx);
  const isSeen = (track: number, lane: number) =>
    lanes.some(own => own.track === track && lane >= own.firstLane && lane < own.endLane);
  const {blocks, names, fromNs, toNs} = answer.slices;
  const nsPerPx = (toNs - fromNs) / answerWidthPx;
  const found: number[] = [];
  for (let block = 0; block < blocks.length; block++) {
    const startNs = fromNs + blocks.leftPx[block] * nsPerPx;
    const isInTime = startNs < window.toNs && startNs + blocks.widthPx[block] * nsPerPx > window.fromNs;
    if (isInTime && isSeen(blocks.track[block], blocks.lane[block])) found.push(block);
  }
  found.sort((a, b) => blocks.widthPx[b] - blocks.widthPx[a]);
  return found
    .slice(0, most)
    .sort((a, b) => a - b)
    .map(block => ({
      name: names[blocks.name[block]] ?? '',
      track: blocks.track[block],
      startNs: Math.max(0, fromNs + blocks.leftPx[block] * nsPerPx),
      durationNs: blocks.widthPx[block] * nsPerPx,
      count: blocks.count[block],
      isSelected: blocks.count[block] === 1 && blocks.slice[block] === selectedSlice,
    }));
}

function header(): HTMLElement {
  const titles = [t('Name'), t('Track'), t('Start'), t('Duration')];
  return element('thead', {
    children: [element('tr', {children: titles.map(text => element('th', {text, attributes: {scope: 'col'}}))})],
  });
}
