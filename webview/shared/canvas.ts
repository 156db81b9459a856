/** A canvas that is sharp at every device pixel ratio, and fills its parent. */
export interface FittedCanvas {
  readonly canvas: HTMLCanvasElement;
  readonly context: CanvasRenderingContext2D;
  readonly widthPx: number;
  readonly heightPx: number;
}

/** Fits a canvas to its parent, now and whenever that changes its size; `onResize` is called each time. */
export function fitCanvas(canvas: HTMLCanvasElement, onResize: () => void): FittedCanvas {
  const context = canvas.getContext('2d', {alpha: false});
  if (!context) throw new Error('This editor has no canvas.');
  const fitted = {canvas, context, widthPx: 0, heightPx: 0};
  const parent = canvas.parentElement ?? document.body;
  new ResizeObserver(() => {
    const {clientWidth, clientHeight} = parent;
    const ratio = window.devicePixelRatio;
    fitted.widthPx = clientWidth;
    fitted.heightPx = clientHeight;
    canvas.width = Math.round(clientWidth * ratio);
    canvas.height = Math.round(clientHeight * ratio);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    onResize();
  }).observe(parent);
  return fitted;
}

/** Calls `draw` once before the next frame, however often it is asked to. */
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
