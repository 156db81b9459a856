import {searchFlame} from '../../src/core/flame/flame-search.js';
import {matchesText} from '../../src/core/flame/flame-text.js';
import {element} from '../shared/dom.js';
import type {Flame} from './flame.js';
import {t} from '../shared/translate.js';

/** The field that searches the names of blocks, and shows the number of matches. */
export class SearchBox {
  readonly #input = element('input', {
    className: 'field',
    attributes: {type: 'search', placeholder: t('Search'), 'aria-label': t('Search names'), size: '14'},
  });
  readonly #found = element('span', {
    className: 'muted found',
    attributes: {'aria-live': 'polite', 'data-testid': 'found'},
  });
  readonly element = element('span', {className: 'search', children: [this.#found, this.#input]});
  #matches: readonly number[] = [];

  /** @param leave gives the focus back to the picture */
  constructor(
    private readonly flame: Flame,
    leave: () => void,
  ) {
    this.#input.addEventListener('input', () => this.again());
    this.#input.addEventListener('keydown', event => {
      if (event.key === 'Escape') {
        this.clear();
        leave();
      } else if (event.key === 'Enter') this.#next(event.shiftKey ? -1 : 1);
    });
  }

  focus(): void {
    this.#input.focus();
    this.#input.select();
  }

  /** Ends the search. Returns whether there was one. */
  clear(): boolean {
    const had = this.#input.value !== '';
    this.#input.value = '';
    this.again();
    return had;
  }

  /** Searches the graph that is shown now. */
  again(): void {
    const {graph} = this.flame;
    const text = this.#input.value.trim();
    if (!graph || text === '') {
      this.#found.textContent = '';
      this.#matches = [];
      this.flame.mark(null);
      return;
    }
    const found = searchFlame(graph, text);
    const nodes: number[] = [];
    for (let node = 1; node < graph.nodes.length; node++) {
      if (found.isMatch[graph.nodes.name[node] ?? 0] === 1 && (graph.nodes.total[node] ?? 0) > 0) nodes.push(node);
    }
    nodes.sort((a, b) => (graph.nodes.total[b] ?? 0) - (graph.nodes.total[a] ?? 0));
    this.#matches = nodes;
    this.#found.textContent = matchesText(graph, text, found);
    this.#found.title = this.#found.textContent;
    this.flame.mark(found.isMatch);
  }

  /** Moves to another match; the widest is first. */
  #next(step: number): void {
    const {length} = this.#matches;
    if (length === 0) return;
    const at = this.#matches.indexOf(this.flame.focusedNode);
    const next = at < 0 ? 0 : (at + step + length) % length;
    this.flame.focus(this.#matches[next] ?? 0);
  }
}
