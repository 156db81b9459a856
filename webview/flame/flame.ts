import {easeCubicOut, interpolateObject, timer} from 'd3';
import {plural} from '../../src/core/format/count.js';
import {formatDuration, formatPercent} from '../../src/core/format/duration.js';
import {blocksInWindow, flameLayout, type FlameBlock, type FlameWindow} from '../../src/core/layout/flame-layout.js';
import {flameKinds, type FlameGraph} from '../../src/core/queries/flame.js';
import {fitCanvas, onNextFrame, type FittedCanvas} from '../shared/canvas.js';
import {onThemeChange, readTheme} from '../shared/theme.js';
import {Tooltip} from '../shared/tooltip.js';
import {drawFlame, rowHeightPx} from './draw-flame.js';

/** What of the picture is told in words, beside the canvas. */
export interface FlameListener {
  /** The blocks from the root to the one that fills the width, by index, with their names. */
  zoomed(path: readonly {readonly block: number; readonly name: string}[]): void;
  focused(text: string): void;
}

const whole: FlameWindow = {x0: 0, x1: 1};
const zoomMs = 180;

/** A flame graph on a canvas. */
export class Flame {
  readonly #canvas: FittedCanvas;
  readonly #tooltip: Tooltip;
  readonly #redraw = onNextFrame(() => this.#draw());
  #theme = readTheme();
  #graph: FlameGraph | null = null;
  #all: readonly FlameBlock[] = [];
  #shown: readonly FlameBlock[] = [];
  /** Index of the block that fills the width. */
  #zoom = 0;
  /** The part of the root that fills the width, on its way to the block's. */
  #window = whole;
  #endZoom: (() => void) | null = null;
  /** Node under the mouse, and node of the keyboard. */
  #hovered = -1;
  #focused = -1;
  #scrollPx = 0;

  constructor(
    canvas: HTMLCanvasElement,
    private readonly listener: FlameListener,
  ) {
    this.#tooltip = new Tooltip(canvas.parentElement ?? document.body);
    this.#canvas = fitCanvas(canvas, () => this.#draw());
    onThemeChange(() => {
      this.#theme = readTheme();
      this.#redraw();
    });
    canvas.addEventListener('pointermove', event => this.#hoverAt(event.offsetX, event.offsetY));
    canvas.addEventListener('pointerleave', () => this.#endHover());
    canvas.addEventListener('click', event =>
      this.#zoomToNode(this.#blockAt(event.offsetX, event.offsetY)?.node ?? -1),
    );
    canvas.addEventListener('wheel', event => {
      event.preventDefault();
      this.#scrollBy(event.deltaY);
    });
    canvas.addEventListener('keydown', event => {
      if (this.#onKey(event.key)) event.preventDefault();
    });
  }

  show(graph: FlameGraph): void {
    this.#graph = graph;
    this.#all = flameLayout(graph);
    this.#focused = -1;
    this.#showWindow(whole);
    this.zoomTo(0);
  }

  /** Lets a block fill the width; 0 is the root. */
  zoomTo(block: number): void {
    this.#zoom = block;
    this.#moveTo(this.#all[block] ?? whole);
    this.#scrollPx = 0;
    const path: {block: number; name: string}[] = [];
    for (let at = block; at >= 0; at = this.#all[at]?.parent ?? -1)
      path.unshift({block: at, name: this.#nameOf(this.#all[at])});
    this.listener.zoomed(path);
    this.#focus(this.#all[block]?.node ?? -1);
  }

  /** Moves there in a moment, so that the eye can follow; at once for who asked for less motion. */
  #moveTo(target: FlameWindow): void {
    this.#endZoom?.();
    const {x0, x1} = target;
    const between = interpolateObject(this.#window, {x0, x1});
    const reducesMotion =
      document.body.classList.contains('vscode-reduce-motion') ||
      matchMedia('(prefers-reduced-motion: reduce)').matches;
    const isThere = this.#window.x0 === x0 && this.#window.x1 === x1;
    if (reducesMotion || isThere) {
      this.#showWindow({x0, x1});
      return;
    }
    const motion = timer(elapsedMs => {
      const progress = Math.min(1, elapsedMs / zoomMs);
      if (progress === 1) motion.stop();
      // The interpolator hands out one object again and again.
      this.#showWindow(progress === 1 ? {x0, x1} : {...between(easeCubicOut(progress))});
    });
    this.#endZoom = () => motion.stop();
  }

  #showWindow(window: FlameWindow): void {
    this.#window = window;
    this.#shown = blocksInWindow(this.#all, window);
    this.#redraw();
  }

  #draw(): void {
    if (!this.#graph) return;
    const {context, widthPx, heightPx} = this.#canvas;
    const size = {widthPx, heightPx, scrollPx: this.#scrollPx};
    drawFlame(context, this.#graph, this.#shown, {hovered: this.#hovered, focused: this.#focused}, size, this.#theme);
  }

  #blockAt(xPx: number, yPx: number): FlameBlock | undefined {
    const depth = Math.floor((yPx + this.#scrollPx) / rowHeightPx);
    const x = xPx / this.#canvas.widthPx;
    return this.#shown.find(block => block.depth === depth && block.x0 <= x && x < block.x1);
  }

  #hoverAt(xPx: number, yPx: number): void {
    const block = this.#blockAt(xPx, yPx);
    this.#hovered = block?.node ?? -1;
    if (block) this.#tooltip.show(this.#nameOf(block), this.#linesAbout(block), xPx, yPx);
    else this.#tooltip.hide();
    this.#redraw();
  }

  #endHover(): void {
    this.#hovered = -1;
    this.#tooltip.hide();
    this.#redraw();
  }

  #zoomToNode(node: number): void {
    const block = this.#all.findIndex(candidate => candidate.node === node);
    if (block >= 0) this.zoomTo(block);
  }

  #onKey(key: string): boolean {
    const at = this.#all.findIndex(({node}) => node === this.#focused);
    const focus = (block: number) => {
      if (block >= 0 && block < this.#all.length) this.#focus(this.#all[block].node);
    };
    const parentOf = (block: number) => Math.max(0, this.#all[block]?.parent ?? 0);
    const actions: Readonly<Record<string, () => void>> = {
      Escape: () => this.zoomTo(parentOf(this.#zoom)),
      Backspace: () => this.zoomTo(parentOf(this.#zoom)),
      Home: () => this.zoomTo(0),
      Enter: () => this.zoomTo(Math.max(0, at)),
      ArrowUp: () => focus(parentOf(at)),
      ArrowDown: () => focus(this.#all.findIndex(({parent}) => parent === at)),
      ArrowLeft: () => focus(this.#sibling(at, -1)),
      ArrowRight: () => focus(this.#sibling(at, 1)),
    };
    if (!Object.hasOwn(actions, key)) return false;
    actions[key]();
    return true;
  }

  #sibling(at: number, step: number): number {
    const siblings = this.#all.flatMap(({parent}, block) => (parent === this.#all[at]?.parent ? [block] : []));
    return siblings[siblings.indexOf(at) + step] ?? at;
  }

  #focus(node: number): void {
    this.#focused = node;
    const block = this.#all.find(candidate => candidate.node === node);
    this.listener.focused(block ? [this.#nameOf(block), ...this.#linesAbout(block)].join(' · ') : '');
    const shown = this.#shown.find(candidate => candidate.node === node);
    if (shown) this.#keepInSight(shown.depth * rowHeightPx);
    this.#redraw();
  }

  #keepInSight(topPx: number): void {
    const {heightPx} = this.#canvas;
    if (topPx < this.#scrollPx) this.#scrollPx = topPx;
    else if (heightPx > 0 && topPx + rowHeightPx > this.#scrollPx + heightPx)
      this.#scrollPx = topPx + rowHeightPx - heightPx;
  }

  #scrollBy(px: number): void {
    const deepest = this.#shown.reduce((depth, block) => Math.max(depth, block.depth), 0);
    const limitPx = Math.max(0, (deepest + 1) * rowHeightPx - this.#canvas.heightPx);
    this.#scrollPx = Math.min(limitPx, Math.max(0, this.#scrollPx + px));
    this.#redraw();
  }

  #nameOf(block: FlameBlock | undefined): string {
    if (!block || !this.#graph) return '';
    return this.#graph.names[this.#graph.nodes.name[block.node] ?? 0] ?? '';
  }

  #linesAbout({node, totalNs}: FlameBlock): string[] {
    const graph = this.#graph;
    if (!graph) return [];
    const what = graph.weight === 'cpu' ? 'CPU wall' : 'GPU work';
    const selfNs = graph.nodes.selfNs[node] ?? 0;
    const count = graph.nodes.count[node] ?? 0;
    const kind = flameKinds[graph.nodes.kind[node] ?? 0];
    const lines = [`${what} ${formatDuration(totalNs)} · ${formatPercent(totalNs, graph.totalNs)} of all`];
    if (kind === 'range') lines.push(`${plural(count, 'instance')} · self ${formatDuration(selfNs)}`);
    else if (kind === 'operation')
      lines.push(`${plural(count, 'GPU operation')} · ${formatDuration(totalNs / Math.max(1, count))} each`);
    return lines;
  }
}
