/** A canvas that is sharp at every device pixel ratio, and fills its parent. */
export interface FittedCanvas {
  readonly canvas: HTMLCanvasElement;
  readonly context: CanvasRenderingContext2D;
  readonly widthPx: number;
  readonly heightPx: number;
  /** Fits it at once: the page's layout may have changed, and the next frame would be too late. */
  fit(): void;
}

/** Fits a canvas to its parent, now and whenever the parent's size changes; calls `onResize` each time. */
export function fitCanvas(canvas: HTMLCanvasElement, onResize: () => void): FittedCanvas {
  const context = canvas.getContext('2d', {alpha: false});
  if (!context) throw new Error('This editor has no canvas.');
  const parent = canvas.parentElement ?? document.body;
  const fitted = {canvas, context, widthPx: 0, heightPx: 0, fit};
  new ResizeObserver(fit).observe(parent);
  return fitted;

  function fit(): void {
    const {clientWidth, clientHeight} = parent;
    const ratio = window.devicePixelRatio;
    const [width, height] = [Math.round(clientWidth * ratio), Math.round(clientHeight * ratio)];
    const isFitted = fitted.widthPx === clientWidth && fitted.heightPx === clientHeight;
    // Setting a canvas's size clears it.
    if (isFitted && canvas.width === width && canvas.height === height) return;
    fitted.widthPx = clientWidth;
    fitted.heightPx = clientHeight;
    canvas.width = width;
    canvas.height = height;
    context?.setTransform(ratio, 0, 0, ratio, 0, 0);
    onResize();
  }
}

/** Returns a function that calls `draw` once before the next frame, however often it is called. */
export function onNextFrame(draw: () => void): () => void {
  let isAsked = false;
  return () => {
    if (isAsked) return;
    isAsked = true;
    requestAnimationFrame(() => {
      isAsked = false;
      draw();
    });
  };
}
