/** Something that measures and paints text: a canvas context or a replacement. */
export interface TextPen {
  readonly font: string;
  measureText(text: string): {readonly width: number};
  fillText(text: string, leftPx: number, middlePx: number): void;
}

/** Below this width, no character fits. */
const leastPx = 14;
/** Measuring text is slow, and the same names are drawn in every frame, so widths are cached. */
const widths = new Map<string, number>();
const rememberedTexts = 20_000;

/** Draws as much of a text as fits into a width, with an ellipsis if it is cut; nothing if no character fits. */
export function drawLabel(context: TextPen, text: string, leftPx: number, middlePx: number, widthPx: number): void {
  const shown = fittedText(context, text, widthPx);
  if (shown !== '') context.fillText(shown, leftPx, middlePx);
}

/** Returns the text, or its beginning with an ellipsis, no wider than `widthPx`. */
export function fittedText(context: TextPen, text: string, widthPx: number): string {
  if (widthPx < leastPx) return '';
  if (widthOf(context, text) <= widthPx) return text;
  const perLetterPx = widthOf(context, text) / text.length;
  let length = Math.min(text.length - 1, Math.floor(widthPx / perLetterPx));
  while (length > 0 && widthOf(context, `${text.slice(0, length)}…`) > widthPx) length--;
  return length > 0 ? `${text.slice(0, length)}…` : '';
}

function widthOf(context: TextPen, text: string): number {
  const key = `${context.font} ${text}`;
  let width = widths.get(key);
  if (width === undefined) {
    if (widths.size > rememberedTexts) widths.clear();
    width = context.measureText(text).width;
    widths.set(key, width);
  }
  return width;
}
