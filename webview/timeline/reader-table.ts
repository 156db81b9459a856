import {formatCount} from '../../src/core/format/count.js';
import {formatDuration} from '../../src/core/format/duration.js';
import {timeFormatter} from '../../src/core/format/time.js';
import {element} from '../shared/dom.js';
import type {TimelineState} from './timeline-state.js';

/** A reader of a table hears it row by row: the widest say most. */
const mostRows = 50;
const delayMs = 400;

/** What is in view as a table, for those who cannot see the canvas. */
export class ReaderTable {
  readonly #body = element('tbody');
  readonly #caption = element('caption', {text: 'In view'});
  readonly element = element('div', {
    className: 'only-read',
    attributes: {'data-testid': 'in-view'},
    children: [element('table', {children: [this.#caption, header(), this.#body]})],
  });
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly trackName: (track: number) => string) {}

  /** Tells of a picture once it rests. */
  show(state: TimelineState): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#fill(state), delayMs);
  }

  #fill(state: TimelineState): void {
    const rows = inView(state, mostRows);
    this.#caption.textContent = `In view: the ${String(rows.length)} longest slices`;
    this.#body.replaceChildren(
      ...rows.map(({name, track, startNs, durationNs, count}) => {
        const shown = count > 1 ? `${formatCount(count)} slices${name === '' ? '' : ` of ${name}`}` : name;
        const start = timeFormatter(startNs, durationNs / 100)(startNs);
        const cells = [shown, this.trackName(track), start, formatDuration(durationNs)];
        return element('tr', {children: cells.map(text => element('td', {text}))});
      }),
    );
  }
}

/** A slice, or several that are drawn as one. */
export interface ReadRow {
  readonly name: string;
  readonly track: number;
  readonly startNs: number;
  readonly durationNs: number;
  readonly count: number;
}

/** The longest blocks of a state that lie in its window, at most `most`, in order of track and time. */
export function inView({answer, answerWidthPx, window}: TimelineState, most: number): ReadRow[] {
  if (!answer) return [];
  const {blocks, names, fromNs, toNs} = answer.slices;
  const nsPerPx = (toNs - fromNs) / answerWidthPx;
  const found: number[] = [];
  for (let block = 0; block < blocks.length; block++) {
    const startNs = fromNs + blocks.leftPx[block] * nsPerPx;
    if (startNs < window.toNs && startNs + blocks.widthPx[block] * nsPerPx > window.fromNs) found.push(block);
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
    }));
}

function header(): HTMLElement {
  const titles = ['Name', 'Track', 'Start', 'Duration'];
  return element('thead', {
    children: [element('tr', {children: titles.map(text => element('th', {text, attributes: {scope: 'col'}}))})],
  });
}
