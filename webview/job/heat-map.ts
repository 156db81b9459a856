import {pointer} from 'd3';
import {element} from '../shared/dom.js';
import {isShortcut, keyboardChart} from '../shared/keyboard-chart.js';
import type {Theme} from '../shared/theme.js';
import {Tooltip} from '../shared/tooltip.js';
import {heatColors} from './heat-colors.js';
import {cellAt, cellText, layoutOf, markValue, moveCell, type HeatCell, type HeatGrid} from './heat-grid.js';
import {t} from '../shared/translate.js';

export interface HeatHandlers {
  /** Null for none. */
  chosen(cell: HeatCell | null): void;
  open(cell: HeatCell): void;
}

/** A table as colours, so that unusual rows and columns are visible at once. Arrows choose a cell, Enter opens it. */
export class HeatMap {
  readonly #canvas = element('canvas', {attributes: keyboardChart('')});
  readonly #scroller = element('div', {className: 'heat-scroller', children: [this.#canvas]});
  readonly #legend = element('div', {className: 'muted heat-legend'});
  readonly #said = element('div', {className: 'unseen', attributes: {'aria-live': 'polite'}});
  readonly element = element('div', {className: 'heat', children: [this.#scroller, this.#legend, this.#said]});
  readonly #tip = new Tooltip(this.element);
  #grid: HeatGrid | null = null;
  #chosen: HeatCell | null = null;

  /** @param widestPx the width of a column if there are few */
  constructor(
    private readonly widestPx: number,
    private readonly handlers: HeatHandlers,
  ) {
    this.#canvas.addEventListener('keydown', event => {
      if (!isShortcut(event) && this.#press(event.key)) event.preventDefault();
    });
    this.#canvas.addEventListener('mousemove', event => {
      this.#hover(event);
    });
    this.#canvas.addEventListener('mouseleave', () => {
      this.#tip.hide();
    });
    this.#canvas.addEventListener('click', event => {
      this.#choose(this.#under(event));
    });
    this.#canvas.addEventListener('dblclick', event => {
      const cell = this.#under(event);
      if (cell) this.handlers.open(cell);
    });
  }

  show(grid: HeatGrid, theme: Theme): void {
    this.#grid = grid;
    this.#chosen = null;
    const help = t('Arrows choose a cell, Enter shows it, Escape chooses none. A table of the same follows.');
    this.#canvas.setAttribute('aria-label', `${grid.label}. ${help}`);
    this.draw(theme);
  }

  draw(theme: Theme): void {
    const grid = this.#grid;
    const context = this.#canvas.getContext('2d');
    if (!grid || !context || this.#scroller.clientWidth === 0) return;
    const layout = layoutOf(grid, this.#scroller.clientWidth, this.widestPx);
    const {leftPx, topPx, markWidthPx, rowHeightPx, perMark, widthPx, heightPx} = layout;
    const ratio = window.devicePixelRatio;
    [this.#canvas.width, this.#canvas.height] = [Math.round(widthPx * ratio), Math.round(heightPx * ratio)];
    [this.#canvas.style.width, this.#canvas.style.height] = [`${String(widthPx)}px`, `${String(heightPx)}px`];
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = theme.background;
    context.fillRect(0, 0, widthPx, heightPx);
    const values = grid.values.filter(value => !Number.isNaN(value));
    const [least, most] = [
      values.reduce((a, b) => Math.min(a, b), Infinity),
      values.reduce((a, b) => Math.max(a, b), -Infinity),
    ];
    const color = heatColors(least, most, theme);
    const gapPx = Math.min(markWidthPx, rowHeightPx) >= 6 ? 1 : 0;
    grid.rows.forEach((_, row) => {
      for (let column = 0, mark = 0; column < grid.columns.length; column += perMark, mark++) {
        const value = markValue(grid, row, column, perMark);
        if (Number.isNaN(value)) continue;
        context.fillStyle = color(value);
        const [x, y] = [leftPx + mark * markWidthPx, topPx + row * rowHeightPx];
        context.fillRect(x, y, markWidthPx - gapPx, rowHeightPx - gapPx);
      }
    });
    drawLabels(context, grid, layout, theme);
    this.#outline(context, theme, layout);
    const merged = perMark > 1 ? t(' Each mark is the greatest of {0} columns.', perMark) : '';
    this.#legend.textContent =
      values.length === 0
        ? t('There is nothing to show.')
        : (theme.isDark
            ? t('From {0} to {1}, the brighter the more.', grid.format(least), grid.format(most))
            : t('From {0} to {1}, the darker the more.', grid.format(least), grid.format(most))) + merged;
  }

  #outline(context: CanvasRenderingContext2D, theme: Theme, layout: ReturnType<typeof layoutOf>): void {
    if (!this.#chosen) return;
    const {leftPx, topPx, markWidthPx, rowHeightPx, perMark} = layout;
    const x = leftPx + Math.floor(this.#chosen.column / perMark) * markWidthPx;
    const y = topPx + this.#chosen.row * rowHeightPx;
    // Two colours: one of them contrasts with any colour of the cell.
    [theme.background, theme.focus].forEach((stroke, at) => {
      context.strokeStyle = stroke;
      context.lineWidth = at === 0 ? 4 : 2;
      context.strokeRect(x, y, markWidthPx - 1, rowHeightPx - 1);
    });
  }

  #press(key: string): boolean {
    const grid = this.#grid;
    if (!grid || grid.rows.length === 0) return false;
    if (key === 'Enter' && this.#chosen) this.handlers.open(this.#chosen);
    else if (key === 'Escape') this.#choose(null);
    else {
      const next = this.#chosen === null ? {row: 0, column: 0} : moveCell(grid, this.#chosen, key);
      if (!next || moveCell(grid, next, key) === null) return false;
      this.#choose(next);
    }
    return true;
  }

  #choose(cell: HeatCell | null): void {
    this.#chosen = cell;
    this.#said.textContent = cell && this.#grid ? cellText(this.#grid, cell) : '';
    this.handlers.chosen(cell);
  }

  #hover(event: MouseEvent): void {
    const cell = this.#under(event);
    if (!cell || !this.#grid) {
      this.#tip.hide();
      return;
    }
    const [x, y] = pointer(event, this.element);
    this.#tip.show(cellText(this.#grid, cell), [t('Double-click to open')], x, y);
  }

  #under(event: MouseEvent): HeatCell | null {
    if (!this.#grid) return null;
    const [x, y] = pointer(event, this.#canvas);
    return cellAt(this.#grid, layoutOf(this.#grid, this.#scroller.clientWidth, this.widestPx), x, y);
  }
}

/** Draws labels of as many rows and columns as fit. */
function drawLabels(
  context: CanvasRenderingContext2D,
  {rows, columns, rowNoun}: HeatGrid,
  {leftPx, topPx, markWidthPx, rowHeightPx, perMark}: ReturnType<typeof layoutOf>,
  theme: Theme,
): void {
  context.fillStyle = theme.foreground;
  context.font = `11px ${theme.font}`;
  context.textBaseline = 'middle';
  context.textAlign = 'right';
  const everyRow = Math.ceil(13 / rowHeightPx);
  rows.forEach((row, at) => {
    if (at % everyRow > 0) return;
    context.fillText(
      `${rowNoun} ${row}`,
      leftPx - 6,
      topPx + at * rowHeightPx + Math.max(5, rowHeightPx / 2),
      leftPx - 8,
    );
  });
  context.textAlign = 'left';
  const widest = columns.reduce((most, text) => Math.max(most, context.measureText(text).width), 0) + 6;
  const everyMark = Math.max(1, Math.ceil(Math.min(widest, 110) / markWidthPx));
  for (let mark = 0; mark * perMark < columns.length; mark += everyMark) {
    context.fillText(columns[mark * perMark], leftPx + mark * markWidthPx, topPx / 2, everyMark * markWidthPx - 2);
  }
}
