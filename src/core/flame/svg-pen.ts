import {xmlText} from '../format/cells.js';
import type {FlamePen} from './draw-flame.js';

/**
 * Monospace fonts are 0.6 em wide. Characters outside Latin are assumed to be twice as wide, so that no text exceeds
 * its block.
 */
const letterPx = 7.3;

/** A font with the same width on every machine as was measured here. */
export const svgFont = 'ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace';

/** Writes what is painted as SVG. A block's text becomes its tooltip, if tooltips are enabled. */
export class SvgPen implements FlamePen {
  fillStyle: unknown = '';
  strokeStyle: unknown = '';
  lineWidth = 1;
  globalAlpha = 1;
  textBaseline: unknown = 'middle';
  font = '';
  readonly #parts: string[] = [];
  readonly #hasTooltips: boolean;
  #isInGroup = false;

  constructor({hasTooltips = true}: {readonly hasTooltips?: boolean} = {}) {
    this.#hasTooltips = hasTooltips;
  }

  measureText(text: string): {readonly width: number} {
    let width = 0;
    for (const letter of text) width += letter > '\u02ff' && letter !== '…' ? 2 * letterPx : letterPx;
    return {width};
  }

  describe(text: string): void {
    if (!this.#hasTooltips) return;
    this.#endGroup();
    this.#isInGroup = true;
    this.#parts.push(`<g><title>${xmlText(text)}</title>`);
  }

  fillRect(leftPx: number, topPx: number, widthPx: number, heightPx: number): void {
    this.#parts.push(`<rect ${box(leftPx, topPx, widthPx, heightPx)} fill="${this.#paint(this.fillStyle)}"/>`);
  }

  strokeRect(leftPx: number, topPx: number, widthPx: number, heightPx: number): void {
    const line = `fill="none" stroke="${this.#paint(this.strokeStyle)}" stroke-width="${String(this.lineWidth)}"`;
    this.#parts.push(`<rect ${box(leftPx, topPx, widthPx, heightPx)} ${line}/>`);
  }

  fillText(text: string, leftPx: number, middlePx: number): void {
    const at = `x="${short(leftPx)}" y="${short(middlePx)}"`;
    this.#parts.push(`<text ${at} fill="${this.#paint(this.fillStyle)}">${xmlText(text)}</text>`);
  }

  /** Returns the whole picture. */
  finish(widthPx: number, heightPx: number, title: string): string {
    this.#endGroup();
    const size = `width="${String(widthPx)}" height="${String(heightPx)}" viewBox="0 0 ${String(widthPx)} ${String(heightPx)}"`;
    // For "central", browsers draw characters a pixel lower than on a canvas.
    const style = `font-family="${xmlText(svgFont)}" font-size="12" dominant-baseline="middle"`;
    return `<svg xmlns="http://www.w3.org/2000/svg" ${size} ${style} role="img"><title>${xmlText(title)}</title>\n${this.#parts.join('\n')}\n</svg>\n`;
  }

  #endGroup(): void {
    if (this.#isInGroup) this.#parts.push('</g>');
    this.#isInGroup = false;
  }

  #paint(style: unknown): string {
    const opacity = this.globalAlpha === 1 ? '' : `" opacity="${String(this.globalAlpha)}`;
    return `${xmlText(String(style))}${opacity}`;
  }
}

function box(leftPx: number, topPx: number, widthPx: number, heightPx: number): string {
  return `x="${short(leftPx)}" y="${short(topPx)}" width="${short(widthPx)}" height="${short(heightPx)}"`;
}

function short(px: number): string {
  return String(Math.round(px * 100) / 100);
}
