import {pointer} from 'd3';
import {formatDuration} from '../../src/core/format/duration.js';
import type {TimelineWindow} from '../../src/core/job/timeline-window.js';
import type {JobContent} from '../../src/protocol/job-messages.js';
import {element} from '../shared/dom.js';
import {isShortcut, keyboardChart} from '../shared/keyboard-chart.js';
import type {Theme} from '../shared/theme.js';
import {button, dropdown, type Dropdown} from '../shared/ui.js';
import {drawRankRows} from './draw-rank-rows.js';
import {markAt, markText, moveMark, nsAt, rowLayout, within, zoomed, type RowLayout, type Window} from './rank-rows.js';
import {t} from '../shared/translate.js';

type OpenJob = Extract<JobContent, {state: 'open'}>;

/** Callbacks of the timeline of all ranks. */
interface TimelineHandlers {
  readonly ask: (window: Window | {step: number}, pixels: number) => Promise<TimelineWindow | null>;
  /** Opens a rank at a window of its own clock. */
  readonly open: (row: number, window: Window) => void;
  readonly theme: () => Theme;
  /** Shows why an action failed. */
  readonly fail: (error: unknown) => void;
}

const all = 'all';
/** The width of a picture before the page's layout is known. */
const usualWidthPx = 800;

/**
 * Shows all ranks below each other on one clock: their steps and collective calls, with each call linked across ranks.
 */
export class TimelineSection {
  readonly #canvas = element('canvas', {attributes: keyboardChart('')});
  readonly #scroller = element('div', {className: 'heat-scroller', children: [this.#canvas]});
  readonly #chosenText = element('div', {className: 'heat-chosen', attributes: {'aria-live': 'polite'}});
  readonly #legend = element('div', {className: 'muted heat-legend'});
  readonly #bar = element('div', {className: 'buttons'});
  readonly element = element('div', {
    className: 'heat',
    children: [this.#bar, this.#scroller, this.#legend, this.#chosenText],
  });
  #steps: Dropdown | null = null;
  #job: OpenJob | null = null;
  #window: TimelineWindow | null = null;
  #chosen = -1;
  #asked = 0;

  constructor(private readonly handlers: TimelineHandlers) {
    const help = t(
      'Timeline of all ranks. Arrows choose a call, plus and minus zoom, 0 shows all, Enter shows the call in its rank’s timeline.',
    );
    this.#canvas.setAttribute('aria-label', help);
    this.#canvas.addEventListener('keydown', event => {
      if (!isShortcut(event) && this.#press(event.key)) event.preventDefault();
    });
    this.#canvas.addEventListener('click', event => {
      this.#choose(this.#under(event));
    });
    this.#canvas.addEventListener('dblclick', () => {
      this.#open();
    });
    this.#canvas.addEventListener('wheel', event => {
      this.#wheel(event);
    });
  }

  /** Shows a job from the first step that all of its ranks may have; the whole job if it has no steps. */
  show(job: OpenJob): void {
    this.#job = job;
    const steps = job.view.report.steps.map(({step}) => String(step));
    const choices = [{value: all, text: t('All steps')}, ...steps.map(value => ({value, text: t('Step {0}', value)}))];
    const first = steps.length > 1 ? steps[1] : (steps.at(0) ?? all);
    this.#steps = dropdown(t('Step'), choices, first, value => {
      this.#showStep(value);
    });
    const zoom = (text: string, factor: number) =>
      button(
        text,
        () => {
          this.#zoom(factor);
        },
        'icon',
      );
    this.#bar.replaceChildren(this.#steps, zoom(t('Zoom in'), 0.5), zoom(t('Zoom out'), 2));
    this.#showStep(first);
  }

  draw(): void {
    const context = this.#canvas.getContext('2d');
    const layout = this.#layout();
    if (!context || !layout || !this.#window || !this.#job) return;
    const ratio = window.devicePixelRatio;
    const {widthPx, heightPx} = layout;
    [this.#canvas.width, this.#canvas.height] = [Math.round(widthPx * ratio), Math.round(heightPx * ratio)];
    [this.#canvas.style.width, this.#canvas.style.height] = [`${String(widthPx)}px`, `${String(heightPx)}px`];
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    drawRankRows(context, this.#window, layout, this.#ranks(), this.#chosen, this.handlers.theme());
  }

  #ranks(): number[] {
    return this.#job?.view.report.ranks.map(({rank}) => rank) ?? [];
  }

  #layout(): RowLayout | null {
    if (!this.#job || !this.#window) return null;
    const widthPx = this.#scroller.clientWidth || usualWidthPx;
    return rowLayout(this.#job.view.report.ranks.length, this.#job.timeline.lanes, widthPx, this.#window);
  }

  #showStep(value: string): void {
    const whole = this.#job?.timeline;
    if (whole) this.#load(value === all ? {fromNs: whole.fromNs, toNs: whole.toNs} : {step: Number(value)});
  }

  #load(part: Window | {step: number}): void {
    const asked = ++this.#asked;
    this.handlers
      .ask(part, this.#scroller.clientWidth || usualWidthPx)
      .then(found => {
        if (asked !== this.#asked || !found) return;
        this.#window = found;
        this.#choose(-1);
        const {fromNs, toNs} = found;
        this.#legend.textContent = t(
          'From {0} to {1} by the clock of the first rank. Calls begin with the part in which a rank waits for others; lines join the ends of a call on all ranks.',
          formatDuration(fromNs),
          formatDuration(toNs),
        );
      })
      .catch(this.handlers.fail);
  }

  #zoom(factor: number, aroundNs?: number): void {
    if (!this.#window || !this.#job) return;
    const {calls, fromNs, toNs} = this.#window;
    const middle = this.#chosen < 0 ? (fromNs + toNs) / 2 : calls.endNs[this.#chosen];
    const around = Math.min(toNs, Math.max(fromNs, aroundNs ?? middle));
    this.#load(zoomed(this.#window, this.#job.timeline, factor, around));
  }

  #wheel(event: WheelEvent): void {
    const layout = this.#layout();
    if (!layout || !this.#job) return;
    // Without Ctrl, the wheel scrolls the page.
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      this.#zoom(2 ** (event.deltaY / 200), nsAt(pointer(event, this.#canvas)[0], layout));
    } else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      event.preventDefault();
      const byNs = nsAt(layout.leftPx + (event.deltaX || event.deltaY), layout) - layout.fromNs;
      this.#load(within({fromNs: layout.fromNs + byNs, toNs: layout.toNs + byNs}, this.#job.timeline));
    }
  }

  #press(key: string): boolean {
    if (!this.#window) return false;
    if (key.startsWith('Arrow')) this.#choose(moveMark(this.#window, this.#chosen, key));
    else if (key === 'Enter') this.#open();
    else if (key === 'Escape') this.#choose(-1);
    else if (key === '+' || key === '=') this.#zoom(0.5);
    else if (key === '-') this.#zoom(2);
    else if (key === '0') {
      if (this.#steps) this.#steps.value = all;
      this.#showStep(all);
    } else return false;
    return true;
  }

  #choose(mark: number): void {
    this.#chosen = mark;
    this.draw();
    if (!this.#job || !this.#window || mark < 0) {
      this.#chosenText.replaceChildren();
      return;
    }
    const text = markText(this.#window, this.#job.timeline.kinds, this.#ranks(), mark);
    const open = button(
      t('Show in timeline'),
      () => {
        this.#open();
      },
      'icon',
    );
    this.#chosenText.replaceChildren(element('span', {text}), open);
  }

  #under(event: MouseEvent): number {
    const layout = this.#layout();
    if (!layout || !this.#window) return -1;
    const [x, y] = pointer(event, this.#canvas);
    return markAt(this.#window, layout, x, y);
  }

  #open(): void {
    if (!this.#job || !this.#window || this.#chosen < 0) return;
    const {calls} = this.#window;
    const row = calls.row[this.#chosen];
    const {apartNs, rate} = this.#job.timeline.clocks[row];
    const own = (ns: number) => (ns - apartNs) / rate;
    this.handlers.open(row, {fromNs: own(calls.startNs[this.#chosen]), toNs: own(calls.endNs[this.#chosen])});
  }
}
