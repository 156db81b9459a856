import {easeCubicOut, interpolateObject, timer} from 'd3';
import {drawFlame, flameHeightPx, rowHeightPx, type FlameView} from '../../src/core/flame/draw-flame.js';
import {flameName, type FlameGraph} from '../../src/core/flame/flame-graph.js';
import {flameLines} from '../../src/core/flame/flame-text.js';
import {flameLayout, nodeAt, type FlameLayout, type FlameWindow} from '../../src/core/flame/flame-layout.js';
import {fitCanvas, onNextFrame, type FittedCanvas} from '../shared/canvas.js';
import {onThemeChange, readTheme} from '../shared/theme.js';
import {Tooltip} from '../shared/tooltip.js';
import {neighbour, zoomToHold, type Direction} from './neighbour.js';

/** Receives what the view shows as text beside the canvas. */
export interface FlameListener {
  /** The nodes from the root to the one that fills the width. */
  zoomed(path: readonly number[]): void;
  focused(text: string): void;
  /** Requests a menu at this place of the canvas. */
  menu(node: number, xPx: number, yPx: number): void;
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
  #layout: FlameLayout | null = null;
  /** The node that fills the width. */
  #zoom = 0;
  /** The part of the root that fills the width at present, on its way to the node's. */
  #window = whole;
  #endZoom: (() => void) | null = null;
  /** The node under the mouse, and the keyboard's node. */
  #hovered = -1;
  #focused = -1;
  #scrollPx = 0;
  #isMatch: Uint8Array | null = null;

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
    canvas.addEventListener('click', event => {
      const node = this.#nodeAt(event.offsetX, event.offsetY);
      if (node >= 0) this.zoomTo(node);
    });
    canvas.addEventListener('contextmenu', event => {
      event.preventDefault();
      const node = this.#nodeAt(event.offsetX, event.offsetY);
      if (node < 0) return;
      this.focus(node);
      this.#endHover();
      this.listener.menu(node, event.offsetX, event.offsetY);
    });
    canvas.addEventListener('wheel', event => {
      event.preventDefault();
      this.#scrollTo(this.#scrollPx + event.deltaY);
    });
  }

  get graph(): FlameGraph | null {
    return this.#graph;
  }

  /** The keyboard's node, -1 for none; and the node that fills the width. */
  get focusedNode(): number {
    return this.#focused;
  }
  get zoomedNode(): number {
    return this.#zoom;
  }

  show(graph: FlameGraph): void {
    this.#graph = graph;
    this.#layout = flameLayout(graph);
    this.#hovered = this.#focused = -1;
    this.#isMatch = null;
    this.#endZoom?.();
    this.#window = whole;
    // The canvas may have been hidden until now, and its height decides where the root of a sandwich is.
    this.#canvas.fit();
    this.zoomTo(0);
  }

  /** Removes the graph: another profile is shown, whose graph is not yet known. */
  clear(): void {
    this.#graph = this.#layout = null;
    this.#tooltip.hide();
  }

  /** Zooms to a node; 0 is the root. */
  zoomTo(node: number): void {
    const {layout, graph} = this.#shown();
    if (!layout || !graph) return;
    this.#fillWith(node);
    this.focus(node);
    // The root of a sandwich is in the middle, its callers above it.
    if (node === 0) this.#scrollTo(-layout.firstRow * rowHeightPx - this.#canvas.heightPx / 2);
  }

  #fillWith(node: number): void {
    const {layout, graph} = this.#shown();
    if (!layout || !graph) return;
    this.#zoom = node;
    this.#moveTo({x0: layout.x0[node] ?? 0, x1: layout.x1[node] ?? 1});
    const path: number[] = [];
    for (let at = node; at >= 0; at = graph.nodes.parent[at] ?? -1) path.unshift(at);
    this.listener.zoomed(path);
  }

  /** Zooms out by one block. */
  zoomOut(): void {
    this.zoomTo(Math.max(0, this.#graph?.nodes.parent[this.#zoom] ?? 0));
  }

  /** Gives a node the keyboard focus; zooms out until the node is in view. */
  focus(node: number): void {
    const {layout, graph} = this.#shown();
    this.#focused = node;
    if (!layout || !graph || node < 0) return;
    const zoom = zoomToHold(graph, layout, this.#zoom, node);
    if (zoom !== this.#zoom) this.#fillWith(zoom);
    this.listener.focused([flameName(graph, node), ...flameLines(graph, node)].join(' · '));
    this.#keepInSight(((layout.row[node] ?? 0) - layout.firstRow) * rowHeightPx);
    this.#redraw();
  }

  /** Moves the focus along the tree. */
  move(direction: Direction): void {
    const {layout, graph} = this.#shown();
    if (layout && graph) this.focus(neighbour(graph, layout, Math.max(0, this.#focused), direction));
  }

  /** Requests the menu of the focused block, at its place. */
  askMenu(): void {
    const {layout} = this.#shown();
    const node = this.#focused;
    if (!layout || node < 0) return;
    const {x0, x1} = this.#window;
    const xPx = (((layout.x0[node] ?? 0) - x0) / (x1 - x0)) * this.#canvas.widthPx;
    this.listener.menu(node, Math.max(0, xPx), this.#topOf(node) + rowHeightPx);
  }

  /** Highlights the matches of a search; null for no search. */
  mark(isMatch: Uint8Array | null): void {
    this.#isMatch = isMatch;
    this.#redraw();
  }

  /** Returns the visible picture for an export; null if there is none. */
  view(): FlameView | null {
    const {layout, graph} = this.#shown();
    if (!layout || !graph) return null;
    const {widthPx, heightPx} = this.#canvas;
    const marks = {hovered: this.#hovered, focused: this.#focused, isMatch: this.#isMatch};
    return {graph, layout, window: this.#window, widthPx, heightPx, scrollPx: this.#scrollPx, ...marks};
  }

  #shown(): {graph: FlameGraph | null; layout: FlameLayout | null} {
    return {graph: this.#graph, layout: this.#layout};
  }

  /** Animates the move, so that the eye can follow; moves at once if the user prefers reduced motion. */
  #moveTo(target: FlameWindow): void {
    this.#endZoom?.();
    const {x0, x1} = target;
    const between = interpolateObject({...this.#window}, {x0, x1});
    const reducesMotion =
      document.body.classList.contains('vscode-reduce-motion') ||
      matchMedia('(prefers-reduced-motion: reduce)').matches;
    const isThere = this.#window.x0 === x0 && this.#window.x1 === x1;
    if (reducesMotion || isThere) {
      this.#window = {x0, x1};
      this.#redraw();
      return;
    }
    const motion = timer(elapsedMs => {
      const progress = Math.min(1, elapsedMs / zoomMs);
      if (progress === 1) motion.stop();
      // The interpolator returns the same object each time.
      this.#window = progress === 1 ? {x0, x1} : {...between(easeCubicOut(progress))};
      this.#draw();
    });
    this.#endZoom = () => motion.stop();
  }

  #draw(): void {
    const view = this.view();
    if (view) drawFlame(this.#canvas.context, view, this.#theme);
  }

  #nodeAt(xPx: number, yPx: number): number {
    if (!this.#layout) return -1;
    const {x0, x1} = this.#window;
    const index = Math.floor((yPx + this.#scrollPx) / rowHeightPx);
    return nodeAt(this.#layout, index, x0 + (xPx / this.#canvas.widthPx) * (x1 - x0));
  }

  #hoverAt(xPx: number, yPx: number): void {
    const node = this.#nodeAt(xPx, yPx);
    if (node >= 0 && this.#graph) {
      this.#tooltip.show(flameName(this.#graph, node), flameLines(this.#graph, node), xPx, yPx);
    } else this.#tooltip.hide();
    if (node !== this.#hovered) this.#redraw();
    this.#hovered = node;
  }

  #endHover(): void {
    this.#hovered = -1;
    this.#tooltip.hide();
    this.#redraw();
  }

  #topOf(node: number): number {
    return ((this.#layout?.row[node] ?? 0) - (this.#layout?.firstRow ?? 0)) * rowHeightPx - this.#scrollPx;
  }

  #keepInSight(topPx: number): void {
    const {heightPx} = this.#canvas;
    if (topPx < this.#scrollPx) this.#scrollTo(topPx);
    else if (heightPx > 0 && topPx + rowHeightPx > this.#scrollPx + heightPx)
      this.#scrollTo(topPx + rowHeightPx - heightPx);
  }

  #scrollTo(px: number): void {
    const limitPx = this.#layout ? Math.max(0, flameHeightPx(this.#layout) - this.#canvas.heightPx) : 0;
    this.#scrollPx = Math.min(limitPx, Math.max(0, px));
    this.#redraw();
  }
}
