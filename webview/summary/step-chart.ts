import {axisLeft, pointer, scaleBand, scaleLinear, select} from 'd3';
import {formatDuration} from '../../src/core/format/duration.js';
import type {StepColumn} from '../../src/core/summary/step-columns.js';
import {columnName, partRows} from '../../src/core/summary/summary-text.js';
import type {TimeSummary} from '../../src/core/summary/time-summary.js';
import {element} from '../shared/dom.js';
import {isShortcut, keyboardChart} from '../shared/keyboard-chart.js';
import type {Theme} from '../shared/theme.js';
import {Tooltip} from '../shared/tooltip.js';
import {hatches} from './hatches.js';
import {partColors} from '../shared/part-colors.js';
import {t} from '../shared/translate.js';

const heightPx = 170;
const margin = {left: 62, right: 4, top: 8, bottom: 22};

export interface StepChartHandlers {
  /** Null for none. */
  chosen(column: StepColumn | null): void;
  open(column: StepColumn): void;
}

/** Shows step by step where the time went: one stacked column for each. */
export class StepChart {
  readonly #plot = element('div', {
    attributes: keyboardChart(
      t(
        'Steps. Left and right arrows choose a step, Enter shows it in the timeline, Escape chooses none. A table of the same follows.',
      ),
    ),
  });
  readonly element = element('div', {className: 'step-chart', children: [this.#plot]});
  readonly #tip = new Tooltip(this.element);
  readonly #said = element('div', {className: 'unseen', attributes: {'aria-live': 'polite'}});
  #summary: TimeSummary | null = null;
  #chosen = -1;

  constructor(private readonly handlers: StepChartHandlers) {
    this.element.append(this.#said);
    this.element.addEventListener('keydown', event => {
      if (!isShortcut(event) && this.#press(event.key)) event.preventDefault();
    });
  }

  /** @param chosen the column that is chosen at first; null for none */
  show(summary: TimeSummary, theme: Theme, chosen: StepColumn | null): void {
    this.#summary = summary;
    this.#chosen = chosen ? summary.columns.indexOf(chosen) : -1;
    this.draw(theme);
  }

  draw(theme: Theme): void {
    select(this.element).selectAll('svg').remove();
    const {columns = []} = this.#summary ?? {};
    const widthPx = this.element.clientWidth;
    if (!this.#summary || columns.length === 0 || widthPx < 100) return;
    const x = scaleBand<number>(columns.keys(), [margin.left, widthPx - margin.right])
      .paddingInner(columns.length > 60 ? 0.1 : 0.2)
      .paddingOuter(0.1);
    const most = columns.reduce((max, {lengthNs}) => Math.max(max, lengthNs), 0);
    const y = scaleLinear([0, most], [heightPx - margin.bottom, margin.top]);
    const svg = select(this.#plot).append('svg').attr('width', widthPx).attr('height', heightPx);
    // Its table has the same data, and the chosen step is announced.
    svg.attr('aria-hidden', 'true');
    hatches(svg, [], theme);
    svg
      .append('g')
      .attr('class', 'axis')
      .attr('transform', `translate(${String(margin.left - 4)},0)`)
      .call(
        axisLeft(y)
          .ticks(4)
          .tickFormat(ns => (ns.valueOf() === 0 ? '0' : formatDuration(ns.valueOf()))),
      );
    const parts = this.#summary.parts.map(({part}) => part);
    columns.forEach((column, at) => {
      const mark = svg
        .append('g')
        .attr('class', 'column')
        .classed('chosen', at === this.#chosen);
      let baseNs = 0;
      column.ns.forEach((ns, part) => {
        mark
          .append('rect')
          .attr('x', x(at) ?? 0)
          .attr('width', x.bandwidth())
          .attr('y', y(baseNs + ns))
          .attr('height', y(baseNs) - y(baseNs + ns))
          .attr('fill', partColors(parts[part], theme).fill)
          .attr('stroke', theme.isHighContrast ? theme.foreground : 'none')
          .attr('stroke-width', 0.5);
        baseNs += ns;
      });
      mark
        .append('rect')
        .attr('class', 'target')
        .attr('x', (x(at) ?? 0) - 1)
        .attr('width', x.bandwidth() + 2)
        .attr('y', margin.top)
        .attr('height', heightPx - margin.bottom - margin.top + 1)
        .on('mousemove', (event: MouseEvent) => {
          this.#hover(column, event);
        })
        .on('mouseleave', () => {
          this.#tip.hide();
        })
        .on('click', () => {
          this.#choose(at === this.#chosen ? -1 : at);
        })
        .on('dblclick', () => {
          this.handlers.open(column);
        });
    });
    const every = Math.ceil(columns.length / Math.max(1, Math.floor((widthPx - margin.left) / 44)));
    columns.forEach(({firstNumber}, at) => {
      if (at % every !== 0) return;
      svg
        .append('text')
        .attr('class', 'tick')
        .attr('x', (x(at) ?? 0) + x.bandwidth() / 2)
        .attr('y', heightPx - 6)
        .attr('text-anchor', 'middle')
        .text(String(firstNumber));
    });
  }

  #hover(column: StepColumn, event: MouseEvent): void {
    const [xPx, yPx] = pointer(event, this.element);
    this.#tip.show(`${columnName(column)}: ${formatDuration(column.lengthNs)}`, this.#linesOf(column), xPx, yPx);
  }

  #linesOf(column: StepColumn): string[] {
    if (!this.#summary) return [];
    const rows = partRows(this.#summary, column).filter(({ns}) => ns > 0);
    return rows.sort((a, b) => b.ns - a.ns).map(({title, time, share}) => `${title}: ${time} · ${share}`);
  }

  #press(key: string): boolean {
    const columns = this.#summary?.columns ?? [];
    const last = columns.length - 1;
    const target: Readonly<Record<string, number>> = {
      ArrowRight: Math.min(last, this.#chosen + 1),
      ArrowLeft: Math.max(0, this.#chosen - 1),
      Home: 0,
      End: last,
      Escape: -1,
    };
    this.#tip.hide();
    if (Object.hasOwn(target, key)) {
      this.#choose(target[key]);
      return true;
    }
    if (key !== 'Enter' || this.#chosen < 0) return false;
    this.handlers.open(columns[this.#chosen]);
    return true;
  }

  #choose(column: number): void {
    this.#chosen = column;
    select(this.element)
      .selectAll('.column')
      .classed('chosen', (_, at) => at === column);
    const chosen = this.#summary?.columns[column] ?? null;
    this.#said.textContent = chosen ? `${columnName(chosen)}: ${formatDuration(chosen.lengthNs)}` : '';
    this.handlers.chosen(chosen);
  }
}
