import {axisBottom, axisLeft} from 'd3';
import type {System} from '../../src/core/estimate/system.js';
import {formatDuration, formatPercent} from '../../src/core/format/duration.js';
import {formatQuantity} from '../../src/core/format/quantity.js';
import type {RooflineMark} from '../../src/core/queries/roofline.js';
import {element} from '../shared/dom.js';
import {readTheme, type Theme} from '../shared/theme.js';
import {Tooltip} from '../shared/tooltip.js';
import {
  chartScales,
  placedMarks,
  roofsOfMarks,
  type ChartBox,
  type ChartScales,
  type NamedRoof,
  type PlacedMark,
} from './chart-scales.js';
import {createSvg, drawLegend, palette, svgText, type Svg} from './svg.js';

/** Smaller points would not be seen. */
const leastRadiusPx = 3;
const margin = {left: 78, right: 24, top: 18, bottom: 42};

export interface ChartHandlers {
  /** The mark under the mouse or the keyboard's focus; null for none. */
  focused(mark: RooflineMark | null): void;
  open(mark: RooflineMark): void;
}

/** The roofline: operations a second by operations a byte, both in powers of ten, under the roofs of a GPU. */
export class RooflineChart {
  readonly element = element('div', {
    className: 'chart',
    attributes: {
      tabindex: '0',
      role: 'application',
      'aria-label':
        'Roofline. Left and right arrows move from point to point, Home and End to the ends, Enter opens the source.',
    },
  });
  readonly #tip = new Tooltip(this.element);
  #marks: readonly RooflineMark[] = [];
  #system: System | null = null;
  #placed: readonly PlacedMark[] = [];
  #scales: ChartScales | null = null;
  #svg: SVGSVGElement | null = null;
  #focused = -1;

  constructor(private readonly handlers: ChartHandlers) {
    new ResizeObserver(() => {
      this.draw();
    }).observe(this.element);
    this.element.addEventListener('keydown', event => {
      if (this.#press(event.key)) event.preventDefault();
    });
    this.element.addEventListener('blur', () => {
      this.#focus(-1);
    });
  }

  show(marks: readonly RooflineMark[], system: System | null): void {
    this.#marks = marks;
    this.#system = system;
    this.#focused = -1;
    this.draw();
  }

  /** The picture as a file, null where there is none. */
  picture(): string | null {
    return this.#svg && svgText(this.#svg);
  }

  draw(): void {
    const {clientWidth, clientHeight} = this.element;
    this.#svg?.remove();
    this.#svg = null;
    if (clientWidth < 100 || clientHeight < 100) return;
    const theme = readTheme();
    const box: ChartBox = {
      left: margin.left,
      top: margin.top,
      right: clientWidth - margin.right,
      bottom: clientHeight - margin.bottom,
    };
    this.#placed = placedMarks(this.#marks).sort((a, b) => a.intensity - b.intensity);
    const roofs = this.#system ? roofsOfMarks(this.#marks, this.#system) : [];
    this.#scales = chartScales(this.#placed, roofs, box);
    const svg = createSvg(clientWidth, clientHeight, theme);
    drawAxes(svg, this.#scales, box);
    drawRoofs(svg, roofs, this.#scales, box);
    this.#drawMarks(svg, theme);
    drawLegend(svg, box, [
      ['products', theme.isDark ? palette.matrixOnDark : palette.matrix, 0.55],
      ['other operators', palette.vector, 0.55],
      ['by the model: hollow', theme.foreground, 0],
    ]);
    this.#svg = svg.node();
    if (this.#svg) this.element.prepend(this.#svg);
    this.#focus(this.#focused);
  }

  #drawMarks(svg: Svg, theme: Theme): void {
    const scales = this.#scales;
    if (!scales) return;
    // The largest first: small ones lie above.
    const order = this.#placed.map((_, at) => at);
    order.sort((a, b) => this.#placed[b].mark.gpuWorkNs - this.#placed[a].mark.gpuWorkNs);
    svg
      .append('g')
      .selectAll('circle')
      .data(order)
      .join('circle')
      .attr('class', 'mark')
      .attr('data-at', at => at)
      .attr('cx', at => scales.x(this.#placed[at].intensity))
      .attr('cy', at => scales.y(this.#placed[at].flopsPerSecond))
      .attr('r', at => Math.max(leastRadiusPx, scales.radius(this.#placed[at].mark.gpuWorkNs)))
      .attr('fill', at => markColor(this.#placed[at].mark, theme))
      .attr('fill-opacity', at => (this.#placed[at].mark.source === 'model' ? 0 : 0.55))
      .attr('stroke', at => markColor(this.#placed[at].mark, theme))
      .attr('stroke-width', 1.5)
      .on('mouseenter', (_, at) => {
        this.#focus(at);
      })
      .on('mouseleave', () => {
        this.#focus(-1);
      })
      .on('click', (_, at) => {
        this.handlers.open(this.#placed[at].mark);
      });
  }

  #press(key: string): boolean {
    const last = this.#placed.length - 1;
    if (last < 0) return false;
    const placed = this.#placed.at(this.#focused) ?? null;
    switch (key) {
      case 'ArrowRight':
        this.#focus(Math.min(last, this.#focused + 1));
        return true;
      case 'ArrowLeft':
        this.#focus(this.#focused < 0 ? last : Math.max(0, this.#focused - 1));
        return true;
      case 'Home':
        this.#focus(0);
        return true;
      case 'End':
        this.#focus(last);
        return true;
      case 'Escape':
        this.#focus(-1);
        return true;
      case 'Enter':
        if (placed && this.#focused >= 0) this.handlers.open(placed.mark);
        return true;
      default:
        return false;
    }
  }

  #focus(at: number): void {
    this.#focused = at;
    for (const circle of this.#svg?.querySelectorAll('.mark') ?? []) {
      const isFocused = circle.getAttribute('data-at') === String(at);
      circle.setAttribute('stroke-width', isFocused ? '3.5' : '1.5');
    }
    const placed = at < 0 ? null : (this.#placed.at(at) ?? null);
    if (placed && this.#scales) {
      const {intensity, flopsPerSecond, mark} = placed;
      this.#tip.show(mark.name, markLines(mark), this.#scales.x(intensity), this.#scales.y(flopsPerSecond));
    } else this.#tip.hide();
    this.handlers.focused(placed?.mark ?? null);
  }
}

/** What a mark says, a line each. */
export function markLines(mark: RooflineMark): string[] {
  const flops = mark.matrixFlops + mark.vectorFlops;
  const roof = mark.predictedNs === null ? [] : [`${formatPercent(mark.predictedNs, mark.gpuWorkNs)} of its roof`];
  return [
    ...(mark.shape === null ? [] : [mark.shape]),
    [mark.source === 'model' ? 'by the model, not by shapes' : '', mark.precision ?? ''].filter(Boolean).join(' · '),
    `${formatQuantity(flops / mark.bytes, 'FLOP/B')} · ${formatQuantity((flops / mark.gpuWorkNs) * 1e9, 'FLOP/s')}`,
    [`GPU work ${formatDuration(mark.gpuWorkNs)}`, `×${String(mark.count)}`, ...roof].join(' · '),
  ].filter(Boolean);
}

function markColor(mark: RooflineMark, {isDark}: Theme): string {
  if (mark.matrixFlops === 0) return palette.vector;
  return isDark ? palette.matrixOnDark : palette.matrix;
}

function drawAxes(svg: Svg, {x, y}: ChartScales, box: ChartBox): void {
  svg
    .append('g')
    .attr('transform', `translate(0,${String(box.bottom)})`)
    .call(axisBottom(x).ticks(Math.max(2, (box.right - box.left) / 90), (value: number) => formatQuantity(value, '')));
  svg
    .append('g')
    .attr('transform', `translate(${String(box.left)},0)`)
    .call(
      axisLeft(y).ticks(Math.max(2, (box.bottom - box.top) / 40), (value: number) => formatQuantity(value, 'FLOP/s')),
    );
  svg
    .append('text')
    .attr('x', (box.left + box.right) / 2)
    .attr('y', box.bottom + 34)
    .attr('text-anchor', 'middle')
    .attr('fill', 'currentColor')
    .text('Arithmetic intensity (FLOP/byte)');
}

/** The slope of the memory up to the highest roof, then each roof from its ridge on. */
function drawRoofs(svg: Svg, roofs: readonly NamedRoof[], {x, y}: ChartScales, box: ChartBox): void {
  if (roofs.length === 0) return;
  const [highest] = roofs;
  const [fromX = 1, toX = 1] = x.domain();
  const [leastY = 1] = y.domain();
  const group = svg.append('g').attr('stroke', palette.roof).attr('stroke-width', 1.5).attr('fill', palette.roof);
  const slopeFrom = Math.max(fromX, leastY / highest.bytesPerSecond);
  group
    .append('line')
    .attr('x1', x(slopeFrom))
    .attr('y1', y(slopeFrom * highest.bytesPerSecond))
    .attr('x2', x(highest.ridge))
    .attr('y2', y(highest.flopsPerSecond));
  const label = (text: string) => group.append('text').attr('stroke', 'none').text(text);
  const angle =
    (Math.atan2(y(highest.flopsPerSecond) - y(slopeFrom * highest.bytesPerSecond), x(highest.ridge) - x(slopeFrom)) *
      180) /
    Math.PI;
  const middle = Math.sqrt(slopeFrom * highest.ridge);
  label(`HBM ${formatQuantity(highest.bytesPerSecond, 'B/s')}`)
    .attr('text-anchor', 'middle')
    .attr(
      'transform',
      `translate(${String(x(middle))},${String(y(middle * highest.bytesPerSecond) - 6)}) rotate(${String(angle)})`,
    );
  for (const {name, ridge, flopsPerSecond} of roofs) {
    group
      .append('line')
      .attr('x1', x(ridge))
      .attr('x2', x(toX))
      .attr('y1', y(flopsPerSecond))
      .attr('y2', y(flopsPerSecond));
    label(`${name} ${formatQuantity(flopsPerSecond, 'FLOP/s')}`)
      .attr('x', box.right)
      .attr('y', y(flopsPerSecond) - 5)
      .attr('text-anchor', 'end');
  }
}
