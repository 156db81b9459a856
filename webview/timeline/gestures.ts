import type {KeyHelp} from '../shared/key-list.js';
import {t} from '../shared/translate.js';

/** The user's actions; fractions are of the plot's width. */
export interface TimelineActions {
  /** `factor` below 1 zooms in, at a place of the canvas. */
  zoom(factor: number, xPx: number | null): void;
  pan(fraction: number): void;
  /** Positive values scroll down. */
  scroll(px: number): void;
  fitAll(): void;
  fitSelection(): void;
  clear(): void;
  hover(xPx: number, yPx: number): void;
  leave(): void;
  click(xPx: number, yPx: number): void;
  /** Begins a drag, whose action depends on the place. */
  dragFrom(xPx: number, yPx: number): void;
  dragTo(xPx: number, yPx: number): void;
  endDrag(): void;
  /** Cancels a drag. */
  cancelDrag(): void;
  /** Selects the slice before or after the selected one on its lane. */
  neighbour(direction: -1 | 1): void;
  /** Follows a flow into or out of the selected slice. */
  follow(direction: -1 | 1): void;
  mark(): void;
  /** Marks the time of the selection, else of the window, as an area. */
  markArea(): void;
  step(direction: -1 | 1): void;
  fitStep(): void;
  /** Focuses the row above or below. */
  focusRow(direction: -1 | 1): void;
  /** Moves the row, or its group, one place up or down. */
  moveRow(direction: -1 | 1): void;
  foldRow(): void;
  pinRow(): void;
  recolor(): void;
  /** Shows or hides the critical path. */
  togglePath(): void;
  search(): void;
  help(): void;
}

/** One notch of a wheel is about 100 px, which pans by a tenth. */
const panPerPx = 0.001;
/** Browsers report a pinch as a wheel with Ctrl, whose small deltas are 100 times the logarithm of the scale. */
const zoomPerPx = 0.01;
/** A notch, which arrives as one event, zooms by a fifth. */
const mostZoom = 0.2;
const keyZoom = 0.7;
const keyPan = 0.15;
const keyScrollPx = 54;
/** A shorter movement between press and release is a click. */
const clickPx = 4;

/** Translates mouse and keyboard events into actions. */
export function listenToGestures(canvas: HTMLCanvasElement, plotWidthPx: () => number, actions: TimelineActions): void {
  canvas.addEventListener('wheel', event => onWheel(event, plotWidthPx(), actions), {passive: false});
  canvas.addEventListener('keydown', event => {
    const isFind = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'f';
    if (!isFind && (event.ctrlKey || event.metaKey)) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const act = isFind ? keys['/'] : event.altKey ? keysWithAlt[key] : keys[key];
    if (!act) return;
    // The content under the mouse moves away.
    actions.leave();
    act(actions);
    event.preventDefault();
  });
  listenToMouse(canvas, plotWidthPx, actions);
}

function onWheel(event: WheelEvent, widthPx: number, actions: TimelineActions): void {
  event.preventDefault();
  // Some systems count lines or pages instead of pixels.
  const scale =
    event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 18 : 300;
  const deltaX = event.deltaX * scale;
  const deltaY = event.deltaY * scale;
  if (event.ctrlKey || event.metaKey) actions.zoom(wheelZoom(deltaY), event.offsetX);
  else if (event.shiftKey) actions.pan((deltaX + deltaY) * panPerPx);
  else {
    // A touchpad moves in both directions at once.
    if (Math.abs(deltaX) > Math.abs(deltaY)) actions.pan(deltaX / widthPx);
    else actions.scroll(deltaY);
  }
}

/**
 * Returns the zoom factor of a wheel event with Ctrl: a pinch follows the fingers, and no event zooms by more than a
 * notch.
 */
export function wheelZoom(deltaPx: number): number {
  return Math.exp(Math.min(mostZoom, Math.max(-mostZoom, deltaPx * zoomPerPx)));
}

interface Press {
  readonly x: number;
  readonly y: number;
  readonly isPan: boolean;
  isDrag: boolean;
}

function listenToMouse(canvas: HTMLCanvasElement, plotWidthPx: () => number, actions: TimelineActions): void {
  let pressed: Press | null = null;
  let last = {x: 0, y: 0};
  canvas.addEventListener('pointerdown', event => {
    if (event.button !== 0) return;
    canvas.focus();
    canvas.setPointerCapture(event.pointerId);
    pressed = {x: event.offsetX, y: event.offsetY, isPan: event.shiftKey, isDrag: false};
    last = {x: event.offsetX, y: event.offsetY};
  });
  canvas.addEventListener('pointermove', event => {
    const {offsetX: x, offsetY: y} = event;
    if (!pressed) {
      actions.hover(x, y);
      return;
    }
    if (pressed.isPan) {
      actions.pan((last.x - x) / plotWidthPx());
      actions.scroll(last.y - y);
    } else if (!pressed.isDrag && Math.hypot(x - pressed.x, y - pressed.y) >= clickPx) {
      pressed.isDrag = true;
      actions.dragFrom(pressed.x, pressed.y);
    }
    if (pressed.isDrag) actions.dragTo(x, y);
    last = {x, y};
  });
  canvas.addEventListener('pointerup', event => {
    const press = pressed;
    pressed = null;
    if (!press) return;
    if (press.isDrag) actions.endDrag();
    else if (Math.hypot(event.offsetX - press.x, event.offsetY - press.y) < clickPx) {
      actions.click(event.offsetX, event.offsetY);
    }
  });
  canvas.addEventListener('pointercancel', () => {
    pressed = null;
    actions.cancelDrag();
  });
  canvas.addEventListener('pointerleave', () => actions.leave());
}

/** The keys of Perfetto and of Chrome's viewers, and the arrow keys. */
const keys: Readonly<Record<string, ((actions: TimelineActions) => void) | undefined>> = {
  w: actions => actions.zoom(keyZoom, null),
  '+': actions => actions.zoom(keyZoom, null),
  '=': actions => actions.zoom(keyZoom, null),
  s: actions => actions.zoom(1 / keyZoom, null),
  '-': actions => actions.zoom(1 / keyZoom, null),
  a: actions => actions.pan(-keyPan),
  d: actions => actions.pan(keyPan),
  ArrowLeft: actions => actions.pan(-keyPan),
  ArrowRight: actions => actions.pan(keyPan),
  ArrowUp: actions => actions.scroll(-keyScrollPx),
  ArrowDown: actions => actions.scroll(keyScrollPx),
  PageUp: actions => actions.scroll(-5 * keyScrollPx),
  PageDown: actions => actions.scroll(5 * keyScrollPx),
  Home: actions => actions.fitAll(),
  '0': actions => actions.fitAll(),
  f: actions => actions.fitSelection(),
  '.': actions => actions.neighbour(1),
  ',': actions => actions.neighbour(-1),
  ']': actions => actions.follow(1),
  '[': actions => actions.follow(-1),
  m: actions => actions.mark(),
  r: actions => actions.markArea(),
  n: actions => actions.step(1),
  p: actions => actions.step(-1),
  g: actions => actions.fitStep(),
  j: actions => actions.focusRow(1),
  k: actions => actions.focusRow(-1),
  o: actions => actions.foldRow(),
  t: actions => actions.pinRow(),
  c: actions => actions.recolor(),
  x: actions => actions.togglePath(),
  '/': actions => actions.search(),
  '?': actions => actions.help(),
  Escape: actions => actions.clear(),
};

/** As VS Code's editors move lines. */
const keysWithAlt: Readonly<Record<string, ((actions: TimelineActions) => void) | undefined>> = {
  ArrowUp: actions => actions.moveRow(-1),
  ArrowDown: actions => actions.moveRow(1),
};

/** Keys, mouse actions and their effects, for the help. */
export const keysHelp: KeyHelp = [
  ['W S', t('zoom in, out')],
  ['A D', t('pan')],
  ['↑ ↓', t('scroll')],
  [t('Ctrl + wheel, pinch'), t('zoom at the mouse')],
  [t('Shift + wheel or drag'), t('pan')],
  ['Home', t('fit the whole trace')],
  ['F', t('fit the selection, or the marked area')],
  [', .', t('previous, next slice on the lane; after J or K on that row')],
  ['[ ]', t('along a flow: launch and kernel, forward and backward (dashed), a wait and what it is for (dotted)')],
  ['N P', t('next, previous step')],
  ['G', t('fit the step')],
  [t('/ or Ctrl + F'), t('search; Enter and Shift + Enter go on')],
  ['M', t('mark the time of the selection, or take the mark away')],
  ['R', t('mark an area: the time of the selection or window, over the row that J or K chose, or all')],
  ['J K', t('the row below, above')],
  ['O', t('fold or open the row that was chosen, or that of the selection')],
  ['T', t('pin it to the top')],
  ['Alt + ↑ ↓', t('move it up, down: a track with its rows, a group by its heading')],
  ['C', t('colour by class, name, range or rank')],
  ['X', t('draw the critical path of the step, or take it away')],
  [t('Click a step'), t('fit it')],
  [t('Drag a name of a row'), t('move it')],
  [t('Drag'), t('mark an area: what is inside it; lines, hot ranges and tables are scoped to its time')],
  [t('Drag on the ruler'), t('measure; snaps to slices')],
  [t('Drag on the overview'), t('show a part of the trace')],
  ['Esc', t('back: out of the area and its scope, the measure, the selection, the link')],
];
