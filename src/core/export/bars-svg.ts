import {xmlText} from '../format/cells.js';
import {greatest} from '../table/extremes.js';
import {shortenMiddle} from '../format/shorten-middle.js';

/** One bar with its label. */
export interface Bar {
  readonly label: string;
  /** If negative, the bar extends to the left. */
  readonly value: number;
  /** The value with its unit. */
  readonly text: string;
  /** Half of an interval around the value; 0 for none. */
  readonly halfWidth: number;
}

const [rowPx, labelPx, barsPx, textPx] = [20, 380, 440, 200] as const;
const longestLabel = 52;
const widthPx = labelPx + barsPx + textPx;

/**
 * Returns bars, from top to bottom, as a standalone picture: blue to the right, orange to the left, whiskers for
 * intervals.
 */
export function barsSvg(bars: readonly Bar[]): string {
  const most = greatest([0, ...bars.map(({value, halfWidth}) => value + halfWidth)]);
  const least = -greatest([0, ...bars.map(({value, halfWidth}) => halfWidth - value)]);
  const span = most - least || 1;
  const x = (value: number) => labelPx + (barsPx * (value - least)) / span;
  const heightPx = rowPx * bars.length + 8;
  const rows = bars.map((bar, at) => rowSvg(bar, 4 + rowPx * at, x));
  const zero = x(0).toFixed(1);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${String(widthPx)} ${String(heightPx)}" width="${String(widthPx)}" height="${String(heightPx)}" role="img" font-family="system-ui, sans-serif" font-size="12"><rect width="100%" height="100%" fill="#ffffff"/>${rows.join('')}<line x1="${zero}" x2="${zero}" y1="0" y2="${String(heightPx)}" stroke="#767676"/></svg>\n`;
}

function rowSvg({label, value, text, halfWidth}: Bar, topPx: number, x: (value: number) => number): string {
  const [from, to] = [x(Math.min(0, value)), x(Math.max(0, value))];
  const middle = String(topPx + rowPx / 2);
  const place = `y="${middle}" dominant-baseline="central" fill="#1b1b1b"`;
  const whisker =
    halfWidth > 0
      ? `<line x1="${x(value - halfWidth).toFixed(1)}" x2="${x(value + halfWidth).toFixed(1)}" y1="${middle}" y2="${middle}" stroke="#1b1b1b"/>`
      : '';
  return [
    `<g><title>${xmlText(`${label}: ${text}`)}</title>`,
    `<text x="${String(labelPx - 8)}" text-anchor="end" ${place}>${xmlText(shortenMiddle(label, longestLabel))}</text>`,
    `<rect x="${from.toFixed(1)}" y="${String(topPx + 4)}" width="${(to - from).toFixed(1)}" height="${String(rowPx - 8)}" fill="${value < 0 ? '#b35900' : '#0b6bcb'}"/>`,
    `${whisker}<text x="${String(labelPx + barsPx + 8)}" ${place}>${xmlText(text)}</text></g>`,
  ].join('');
}
