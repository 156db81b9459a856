import type {ComparedFlames} from '../../src/core/compare/compare-flames.js';
import {differenceGraph} from '../../src/core/compare/difference-graph.js';
import {differenceLegend} from '../../src/core/flame/difference-text.js';
import type {DifferenceMeasure, DifferenceSide} from '../../src/core/flame/flame-difference.js';
import {flameName, flamePath, nodeOfPath} from '../../src/core/flame/flame-graph.js';
import {Flame} from '../flame/flame.js';
import {bindKeys, keyList, searchAndHelp} from '../flame/keys.js';
import {SearchBox} from '../flame/search-box.js';
import {element} from '../shared/dom.js';
import {keyboardChart} from '../shared/keyboard-chart.js';
import {t} from '../shared/translate.js';
import {button, dropdown} from '../shared/ui.js';

/**
 * The flame graph of two runs: as wide as the time before or after, coloured by the change of the total or of one call.
 */
export class DifferenceFlame {
  readonly #legend = element('p', {className: 'muted', attributes: {'aria-live': 'polite'}});
  readonly #crumbs = element('div', {
    className: 'crumbs',
    attributes: {role: 'navigation', 'aria-label': t('Path of the shown block')},
  });
  readonly #canvas = element('canvas', {
    attributes: keyboardChart(
      t('Flame graph of the change. Arrow keys move, Enter zooms, Escape goes back, / searches, ? lists the keys.'),
    ),
  });
  readonly #details = element('div', {
    className: 'details',
    attributes: {'aria-live': 'polite', 'data-testid': 'selection'},
  });
  readonly #keys = keyList(false, () => this.#canvas.focus());
  readonly #stage = element('div', {className: 'stage', children: [this.#canvas, this.#keys.element]});
  readonly #flame = new Flame(this.#canvas, {
    zoomed: path => this.#showPath(path),
    focused: text => {
      this.#details.textContent = text;
      this.#details.title = text;
    },
    // A block's menu applies to one profile only.
    menu: () => undefined,
  });
  readonly #search = new SearchBox(this.#flame, () => this.#canvas.focus());
  readonly element = element('div', {
    className: 'flame',
    children: [
      element('div', {
        className: 'bar query',
        children: [
          dropdown(t('Width'), sides, 'after', side => this.#choose({side})),
          button(t('Swap'), () => this.#swap(), 'icon'),
          dropdown(t('Change'), measures, 'total', measure => this.#choose({measure})),
          element('span', {className: 'spring'}),
          this.#search.element,
        ],
      }),
      this.#legend,
      this.#crumbs,
      this.#stage,
      this.#details,
    ],
  });
  #flames: ComparedFlames | null = null;
  #side: DifferenceSide = 'after';
  #measure: DifferenceMeasure = 'total';

  constructor() {
    bindKeys(this.#canvas, this.#flame, searchAndHelp(this.#search, this.#keys));
  }

  show(flames: ComparedFlames): void {
    this.#flames = flames;
    this.#draw();
  }

  #swap(): void {
    const side = this.#side === 'after' ? 'before' : 'after';
    const choice = this.element.querySelector<HTMLInputElement>('vscode-dropdown');
    if (choice) choice.value = side;
    this.#choose({side});
  }

  #choose({side = this.#side, measure = this.#measure}: {side?: DifferenceSide; measure?: DifferenceMeasure}): void {
    [this.#side, this.#measure] = [side, measure];
    this.#draw();
  }

  /** The block that fills the width stays, as far as it exists. */
  #draw(): void {
    if (!this.#flames) return;
    const {graph: old, zoomedNode} = this.#flame;
    const path = old && zoomedNode > 0 ? flamePath(old, zoomedNode) : [];
    const graph = differenceGraph(this.#flames, this.#side, this.#measure);
    this.#legend.textContent = [differenceLegend(this.#side), ...graph.notes].join(' ');
    this.#flame.show(graph);
    const zoomed = nodeOfPath(graph, path);
    if (zoomed > 0 && graph.nodes.total[zoomed] > 0) this.#flame.zoomTo(zoomed);
    this.#search.again();
  }

  #showPath(path: readonly number[]): void {
    const {graph} = this.#flame;
    this.#crumbs.replaceChildren(
      ...path.map(node => {
        const name = graph ? flameName(graph, node) : '';
        const crumb = button(name, () => this.#flame.zoomTo(node), 'icon');
        crumb.title = t('Zoom to {0}', name);
        return crumb;
      }),
    );
  }
}

const sides = [
  {value: 'after', text: t('As wide as the time after')},
  {value: 'before', text: t('As wide as the time before')},
] as const;
const measures = [
  {value: 'total', text: t('Change of all time')},
  {value: 'call', text: t('Change of the time a call')},
] as const;
