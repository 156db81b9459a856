import type {System} from '../../src/core/estimate/system.js';
import {formatDuration, formatPercent} from '../../src/core/format/duration.js';
import {formatQuantity} from '../../src/core/format/quantity.js';
import type {RooflineMark} from '../../src/core/questions/roofline-marks.js';
import {aboveRoof} from '../../src/core/roofline/roofline-points.js';
import {element} from '../shared/dom.js';
import {isShortcut, keyboardChart} from '../shared/keyboard-chart.js';
import {readTheme, type Theme} from '../shared/theme.js';
import {Tooltip} from '../shared/tooltip.js';
import {
  chartScales,
  placedMarks,
  roofsOfMarks,
  type ChartBox,
  type ChartScales,
  type PlacedMark,
} from './chart-scales.js';
import {drawAxes, drawRoofs, labelRoofs} from './draw-frame.js';
import {drawPredictions, markColor, markOpacity, markPath, modelKeyPath} from './draw-marks.js';
import {chartColors, createSvg, drawLegend, svgText, type Svg} from './chart-svg.js';
import {t} from '../shared/translate.js';

/** Smaller points would not be visible. */
const leastRadiusPx = 3;
const margin = {left: 96, right: 24, top: 18, bottom: 42};

export interface ChartHandlers {
  /** The mark under the mouse, or with the keyboard focus; null for none. */
  focused(mark: RooflineMark | null): void;
  open(mark: RooflineMark): void;
}

/**
 * Draws the roofline: operations per second over operations per byte, both in powers of ten, under the roofs of a GPU.
 */
export class RooflineChart {
  /** The live region beside the chart has its texts. */
  readonly #drawing = element('div', {attributes: {'aria-hidden': 'true'}});
  readonly #plot = element('div', {
    className: 'plot',
    children: [this.#drawing],
    attributes: keyboardChart(
      t('Roofline. Left and right arrows move from point to point, Home and End to the ends, Enter opens the source.'),
    ),
  });
  readonly element = element('div', {className: 'chart', children: [this.#plot]});
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
      if (!isShortcut(event) && this.#press(event.key)) event.preventDefault();
    });
    this.#plot.addEventListener('blur', () => {
      this.#focus(-1);
    });
  }

  show(marks: readonly RooflineMark[], system: System | null): void {
    this.#marks = marks;
    this.#system = system;
    this.#focused = -1;
    this.draw();
  }

  focus(): void {
    this.#plot.focus();
  }

  /** Returns the picture as a file; null if there is none. */
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
    drawRoofs(svg, roofs, this.#scales, theme);
    this.#drawMarks(svg, theme);
    labelRoofs(svg, roofs, this.#scales, box, theme);
    const {matrix, vector} = chartColors(theme);
    drawLegend(svg, box, [
      {text: t('products'), color: matrix, opacity: markOpacity.shapes},
      {text: t('other operators'), color: vector, opacity: markOpacity.shapes},
      ...(this.#placed.some(({mark}) => mark.source === 'model')
        ? [{text: t('from the model, up to what it predicts'), color: theme.foreground, opacity: 0, path: modelKeyPath}]
        : []),
    ]);
    this.#svg = svg.node();
    if (this.#svg) this.#drawing.prepend(this.#svg);
    this.#focus(this.#focused);
  }

  #drawMarks(svg: Svg, theme: Theme): void {
    const scales = this.#scales;
    if (!scales) return;
    // The largest first, so that small ones are on top.
    const order = this.#placed.map((_, at) => at);
    order.sort((a, b) => this.#placed[b].mark.gpuWorkNs - this.#placed[a].mark.gpuWorkNs);
    drawPredictions(svg, this.#placed, scales, theme);
    svg
      .append('g')
      .selectAll('path')
      .data(order)
      .join('path')
      .attr('class', at => `mark ${this.#placed[at].mark.source}`)
      .attr('data-at', at => at)
      .attr('transform', at => {
        const {intensity, flopsPerSecond} = this.#placed[at];
        return `translate(${String(scales.x(intensity))},${String(scales.y(flopsPerSecond))})`;
      })
      .attr('d', at => {
        const {mark} = this.#placed[at];
        return markPath(mark.source, Math.max(leastRadiusPx, scales.radius(mark.gpuWorkNs)));
      })
      .attr('fill', at => markColor(this.#placed[at].mark, theme))
      .attr('fill-opacity', at => markOpacity[this.#placed[at].mark.source])
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

/** Describes a mark, in several lines. */
export function markLines(mark: RooflineMark): string[] {
  const flops = mark.matrixFlops + mark.vectorFlops;
  const {predictedNs} = mark;
  const roof =
    predictedNs === null
      ? []
      : [
          t('predicted {0}', formatDuration(predictedNs)),
          t('{0} of its roof', formatPercent(predictedNs, mark.gpuWorkNs)),
        ];
  return [
    ...(mark.shape === null ? [] : [mark.shape]),
    [mark.source === 'model' ? t('from the model') : '', mark.precision ?? ''].filter(Boolean).join(' · '),
    `${formatQuantity(flops / mark.bytes, 'FLOP/B')} · ${formatQuantity((flops / mark.gpuWorkNs) * 1e9, 'FLOP/s')}`,
    [t('GPU work {0}', formatDuration(mark.gpuWorkNs)), `×${String(mark.count)}`, ...roof].join(' · '),
    predictedNs !== null && predictedNs > mark.gpuWorkNs ? aboveRoof : '',
  ].filter(Boolean);
}
