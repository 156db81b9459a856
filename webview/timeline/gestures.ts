/** What the user wants; fractions are of the plot's width. */
export interface TimelineActions {
  /** `factor` below 1 zooms in, at a place of the canvas. */
  zoom(factor: number, xPx: number | null): void;
  pan(fraction: number): void;
  /** Positive shows what lies further down. */
  scroll(px: number): void;
  fitAll(): void;
  fitSelection(): void;
  clear(): void;
  hover(xPx: number, yPx: number): void;
  leave(): void;
  select(xPx: number, yPx: number): void;
}

/** A notch of a wheel is about 100 px: it zooms by a fifth, and pans by a tenth. */
const zoomPerPx = 0.0018;
const panPerPx = 0.001;
const keyZoom = 0.7;
const keyPan = 0.15;
const keyScrollPx = 54;
/** A shorter way of the mouse between press and release is a click. */
const clickPx = 4;

/** Turns the mouse and the keyboard into actions. */
export function listenToGestures(canvas: HTMLCanvasElement, plotWidthPx: () => number, actions: TimelineActions): void {
  canvas.addEventListener('wheel', event => onWheel(event, plotWidthPx(), actions), {passive: false});
  canvas.addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    act(actions);
    event.preventDefault();
  });
  listenToMouse(canvas, plotWidthPx, actions);
}

function onWheel(event: WheelEvent, widthPx: number, actions: TimelineActions): void {
  event.preventDefault();
  // Lines and pages instead of pixels, on some systems.
  const scale =
    event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 18 : 300;
  const deltaX = event.deltaX * scale;
  const deltaY = event.deltaY * scale;
  if (event.ctrlKey || event.metaKey) actions.zoom(Math.exp(deltaY * zoomPerPx), event.offsetX);
  else if (event.shiftKey) actions.pan((deltaX + deltaY) * panPerPx);
  else {
    // A touchpad moves in both directions at once.
    if (Math.abs(deltaX) > Math.abs(deltaY)) actions.pan(deltaX / widthPx);
    else actions.scroll(deltaY);
  }
}

function listenToMouse(canvas: HTMLCanvasElement, plotWidthPx: () => number, actions: TimelineActions): void {
  let pressed: {x: number; y: number; isPan: boolean} | null = null;
  let last = {x: 0, y: 0};
  canvas.addEventListener('pointerdown', event => {
    if (event.button !== 0) return;
    canvas.focus();
    canvas.setPointerCapture(event.pointerId);
    pressed = {x: event.offsetX, y: event.offsetY, isPan: event.shiftKey};
    last = {x: event.offsetX, y: event.offsetY};
  });
  canvas.addEventListener('pointermove', event => {
    if (pressed?.isPan) {
      actions.pan((last.x - event.offsetX) / plotWidthPx());
      actions.scroll(last.y - event.offsetY);
      last = {x: event.offsetX, y: event.offsetY};
    } else actions.hover(event.offsetX, event.offsetY);
  });
  canvas.addEventListener('pointerup', event => {
    const isClick = pressed && Math.hypot(event.offsetX - pressed.x, event.offsetY - pressed.y) < clickPx;
    pressed = null;
    if (isClick) actions.select(event.offsetX, event.offsetY);
  });
  canvas.addEventListener('pointerleave', () => actions.leave());
}

/** The keys of Perfetto and of Chrome's viewers, and the arrows. */
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
  Escape: actions => actions.clear(),
};
