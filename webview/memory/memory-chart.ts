import {formatCount} from '../../src/core/format/count.js';
import {formatBytes} from '../../src/core/memory-snapshot/format-bytes.js';
import type {CurveWindow, MemoryCurve} from '../../src/core/memory-snapshot/memory-curve.js';
import {fitCanvas, onNextFrame} from '../shared/canvas.js';
import {element} from '../shared/dom.js';
import {isShortcut, keyboardChart} from '../shared/keyboard-chart.js';
import {onThemeChange, readTheme} from '../shared/theme.js';
import {Tooltip} from '../shared/tooltip.js';
import {bandName, drawMemory, marginPx, momentAt, xOfMoment, type MemoryPicture} from './draw-memory.js';
import {t} from '../shared/translate.js';

export interface MemoryChartHandlers {
  /** Another moment was chosen. */
  choose(moment: number): void;
  /** Another part of the history was chosen. */
  zoom(window: Omit<CurveWindow, 'columns'>): void;
  /** Makes the chosen moment the base of comparisons; or removes the base. */
  markBase(): void;
  /** The width of the canvas has changed. */
  resized(): void;
}

/** The parts of the view's state that are drawn. */
export type ChartMarks = Omit<MemoryPicture, 'curve' | 'widthPx' | 'heightPx' | 'dragged'>;

/** A drag over fewer pixels is a click. */
const leastDragPx = 4;

/** Shows memory over time on a canvas, for mouse and keyboard. */
export class MemoryChart {
  readonly element: HTMLElement;
  readonly #canvas = element('canvas', {
    attributes: keyboardChart(
      t(
        'Memory over time. Left and right arrows choose a moment, P the peak, O running out of memory, plus and minus zoom, B marks what to compare with, Escape shows all. Tables of the same follow.',
      ),
    ),
  });
  readonly #tip: Tooltip;
  readonly #fitted;
  readonly #redraw = onNextFrame(() => {
    this.#draw();
  });
  #theme = readTheme();
  #curve: MemoryCurve | null = null;
  #marks: ChartMarks | null = null;
  #last = 0;
  #drag: {readonly fromPx: number; toPx: number} | null = null;

  constructor(private readonly handlers: MemoryChartHandlers) {
    this.element = element('div', {className: 'stage chart', children: [this.#canvas]});
    this.#tip = new Tooltip(this.element);
    this.#fitted = fitCanvas(this.#canvas, () => {
      this.#draw();
      handlers.resized();
    });
    onThemeChange(() => {
      this.#theme = readTheme();
      this.#redraw();
    });
    this.#listen();
  }

  /** Number of columns that the canvas can show. */
  get columns(): number {
    return Math.max(1, Math.floor(this.#fitted.widthPx - marginPx.left - marginPx.right));
  }

  /** @param last the last moment of the history */
  show(curve: MemoryCurve, marks: ChartMarks, last: number): void {
    this.#curve = curve;
    this.#marks = marks;
    this.#last = last;
    this.#redraw();
  }

  /** Shows no curve until the next one is shown. */
  clear(): void {
    this.#curve = null;
    this.#marks = null;
    this.#tip.hide();
    this.#redraw();
  }

  #draw(): void {
    const {context, widthPx, heightPx} = this.#fitted;
    const picture = this.#picture();
    if (picture) drawMemory(context, picture, this.#theme);
    else {
      context.fillStyle = this.#theme.background;
      context.fillRect(0, 0, widthPx, heightPx);
    }
  }

  #picture(): MemoryPicture | null {
    if (!this.#curve || !this.#marks) return null;
    const {widthPx, heightPx} = this.#fitted;
    const picture = {...this.#marks, curve: this.#curve, widthPx, heightPx};
    const dragged = this.#dragPx();
    const ends = dragged && ([momentAt(picture, dragged[0]), momentAt(picture, dragged[1])] as const);
    return {...picture, dragged: ends};
  }

  #dragPx(): [number, number] | null {
    if (!this.#drag || Math.abs(this.#drag.toPx - this.#drag.fromPx) < leastDragPx) return null;
    const {fromPx, toPx} = this.#drag;
    return [Math.min(fromPx, toPx), Math.max(fromPx, toPx)];
  }

  #listen(): void {
    const canvas = this.#canvas;
    canvas.addEventListener('pointerdown', event => {
      if (event.button !== 0) return;
      canvas.setPointerCapture(event.pointerId);
      this.#drag = {fromPx: event.offsetX, toPx: event.offsetX};
    });
    canvas.addEventListener('pointermove', event => {
      if (this.#drag) this.#drag.toPx = event.offsetX;
      this.#hover(event.offsetX, event.offsetY);
      this.#redraw();
    });
    canvas.addEventListener('pointerup', event => {
      this.#release(event.offsetX);
    });
    canvas.addEventListener('pointerleave', () => {
      this.#tip.hide();
    });
    canvas.addEventListener('dblclick', () => {
      this.#zoomTo(0, this.#last);
    });
    canvas.addEventListener('wheel', event => {
      event.preventDefault();
      this.#zoomBy(event.deltaY < 0 ? 0.7 : 1 / 0.7, event.offsetX);
    });
    canvas.addEventListener('keydown', event => {
      if (isShortcut(event)) return;
      if (this.#press(event.key, event.shiftKey)) event.preventDefault();
    });
  }

  #release(xPx: number): void {
    const picture = this.#picture();
    const dragged = this.#dragPx();
    this.#drag = null;
    if (!picture) return;
    if (dragged) this.#zoomTo(momentAt(picture, dragged[0]), momentAt(picture, dragged[1]));
    else this.handlers.choose(this.#shownNear(momentAt(picture, xPx)));
  }

  /** Returns the drawn moment among those that share a pixel. */
  #shownNear(moment: number): number {
    const curve = this.#curve;
    if (!curve) return moment;
    const {fromMoment, toMoment, columns, moments} = curve;
    const count = toMoment - fromMoment + 1;
    return moments[Math.min(columns - 1, Math.floor(((moment - fromMoment) * columns) / count))] ?? moment;
  }

  #press(key: string, isShift: boolean): boolean {
    const curve = this.#curve;
    const marks = this.#marks;
    if (!curve || !marks) return false;
    const step = Math.max(1, Math.round((curve.toMoment - curve.fromMoment + 1) / curve.columns)) * (isShift ? 20 : 1);
    const middlePx = xOfMoment({curve, widthPx: this.#fitted.widthPx}, marks.moment);
    const actions: Readonly<Record<string, () => void>> = {
      ArrowLeft: () => {
        this.#choose(marks.moment - step);
      },
      ArrowRight: () => {
        this.#choose(marks.moment + step);
      },
      Home: () => {
        this.#choose(0);
      },
      End: () => {
        this.#choose(this.#last);
      },
      p: () => {
        this.#choose(marks.peakMoment);
      },
      o: () => {
        const {outOfMemoryMoments: moments} = marks;
        const next = moments.find(moment => moment > marks.moment) ?? moments.at(0);
        if (next !== undefined) this.#choose(next);
      },
      '+': () => {
        this.#zoomBy(0.5, middlePx);
      },
      '-': () => {
        this.#zoomBy(2, middlePx);
      },
      b: () => {
        this.handlers.markBase();
      },
      Escape: () => {
        this.#zoomTo(0, this.#last);
      },
    };
    if (!Object.hasOwn(actions, key)) return false;
    actions[key]();
    return true;
  }

  /** Scrolls to a moment outside the window. */
  #choose(wanted: number): void {
    const moment = Math.min(this.#last, Math.max(0, wanted));
    const curve = this.#curve;
    if (curve && (moment < curve.fromMoment || moment > curve.toMoment)) {
      const half = Math.floor((curve.toMoment - curve.fromMoment) / 2);
      this.#zoomTo(moment - half, moment + half);
    }
    this.handlers.choose(moment);
  }

  #zoomBy(factor: number, xPx: number): void {
    const curve = this.#curve;
    if (!curve) return;
    const at = momentAt({curve, widthPx: this.#fitted.widthPx}, xPx);
    this.#zoomTo(at - (at - curve.fromMoment) * factor, at + (curve.toMoment - at) * factor);
  }

  #zoomTo(from: number, to: number): void {
    if (!this.#curve) return;
    const fromMoment = Math.max(0, Math.floor(from));
    const toMoment = Math.min(this.#last, Math.ceil(to));
    if (toMoment - fromMoment >= 2 || this.#last < 2) this.handlers.zoom({fromMoment, toMoment});
  }

  #hover(xPx: number, yPx: number): void {
    const picture = this.#picture();
    const curve = this.#curve;
    if (!picture || !curve || xPx < marginPx.left) {
      this.#tip.hide();
      return;
    }
    const moment = this.#shownNear(momentAt(picture, xPx));
    const column = curve.moments.indexOf(moment);
    if (column < 0) return;
    const parts = curve.bands
      .map(band => ({name: bandName(band), bytes: band.bytes[column] ?? 0}))
      .filter(({bytes}) => bytes > 0)
      .sort((a, b) => b.bytes - a.bytes);
    this.#tip.show(
      t(
        '{0} allocated, {1} reserved',
        formatBytes(curve.allocatedBytes[column] ?? 0),
        formatBytes(curve.reservedBytes[column] ?? 0),
      ),
      [momentText(moment), ...parts.slice(0, 6).map(({name, bytes}) => `${formatBytes(bytes)} ${name}`)],
      xPx,
      yPx,
    );
  }
}

/** Returns where a moment is, in words. */
export function momentText(moment: number): string {
  return moment === 0 ? t('before the first event') : t('after event {0}', formatCount(moment - 1));
}
