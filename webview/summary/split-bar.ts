import {pointer, scaleLinear, select} from 'd3';
import type {PartRow} from '../../src/core/summary/summary-text.js';
import {element} from '../shared/dom.js';
import type {Theme} from '../shared/theme.js';
import {Tooltip} from '../shared/tooltip.js';
import {hatchFor, hatches} from './hatches.js';
import {partColors} from '../shared/part-colors.js';

const heightPx = 34;
/** Approximate width of a letter: a text that does not fit is left out, since the table below contains it. */
const letterPx = 7.5;

/** One bar that shows where the time goes. The table below it has the same data in words. */
export class SplitBar {
  readonly element = element('div', {className: 'split-bar', attributes: {role: 'img'}});
  readonly #tip = new Tooltip(this.element);

  /** @param title the subject of the bar */
  draw(rows: readonly PartRow[], title: string, theme: Theme): void {
    this.element.setAttribute('aria-label', `${title}. ${rows.map(row => `${row.title} ${row.share}`).join(', ')}`);
    select(this.element).selectAll('svg').remove();
    const widthPx = this.element.clientWidth;
    const wholeNs = rows.reduce((sum, {ns}) => sum + ns, 0);
    if (widthPx === 0 || wholeNs === 0) return;
    const x = scaleLinear([0, wholeNs], [0, widthPx]);
    const svg = select(this.element).append('svg').attr('width', widthPx).attr('height', heightPx);
    svg.attr('aria-hidden', 'true');
    hatches(
      svg,
      rows.map(({part}) => part),
      theme,
    );
    let fromNs = 0;
    for (const row of rows) {
      const [fromPx, toPx] = [x(fromNs), x(fromNs + row.ns)];
      fromNs += row.ns;
      this.#drawPart(svg, row, fromPx, toPx - fromPx, theme);
    }
    svg.on('mouseleave', () => {
      this.#tip.hide();
    });
  }

  #drawPart(svg: ReturnType<typeof hatches>, row: PartRow, leftPx: number, widthPx: number, theme: Theme): void {
    const {part, title, meaning, time, share} = row;
    const {fill, text} = partColors(part, theme);
    const mark = svg.append('g').attr('data-part', part);
    const rect = () => mark.append('rect').attr('x', leftPx).attr('width', widthPx).attr('height', heightPx);
    rect().attr('fill', fill);
    const hatch = hatchFor(part);
    if (hatch !== null) rect().attr('fill', hatch);
    rect()
      .attr('fill', 'none')
      .attr('stroke', theme.isHighContrast ? theme.foreground : theme.background);
    const label = title.length * letterPx + 8 <= widthPx ? title : share;
    if (label.length * letterPx + 8 <= widthPx) {
      mark
        .append('text')
        .attr('x', leftPx + widthPx / 2)
        .attr('y', heightPx / 2)
        .attr('text-anchor', 'middle')
        .attr('dominant-baseline', 'central')
        .attr('fill', text)
        .text(label);
    }
    mark.on('mousemove', (event: MouseEvent) => {
      const [xPx, yPx] = pointer(event, this.element);
      this.#tip.show(title, [`${time} · ${share}`, meaning], xPx, yPx);
    });
  }
}
