import {formatCount} from '../../src/core/format/count.js';
import {formatDuration} from '../../src/core/format/duration.js';
import type {SearchGroup, SearchGroups} from '../../src/core/questions/search-groups.js';
import {element} from '../shared/dom.js';
import {t} from '../shared/translate.js';

const places = {gpu: t('On the GPU'), elsewhere: t('On threads and other tracks')} as const;

/** The list beside the timeline of the names that a search has found, those on the GPU first. */
export class SearchList {
  readonly element = element('div', {
    className: 'search-list',
    attributes: {role: 'listbox', 'aria-label': t('Names that were found'), id: 'search-list', 'data-testid': 'found'},
  });
  #options: readonly {readonly group: SearchGroup; readonly element: HTMLElement}[] = [];
  #chosen = -1;

  /** @param choose shows the slices of a group, one after another */
  constructor(private readonly choose: (group: SearchGroup) => void) {
    this.element.hidden = true;
  }

  /** The group chosen by a click or the arrow keys; null for none. */
  get chosen(): SearchGroup | null {
    return this.#at(this.#chosen)?.group ?? null;
  }

  show({groups, omitted}: SearchGroups): void {
    this.#chosen = -1;
    this.#options = groups.map((group, at) => ({group, element: this.#option(group, at)}));
    const parts = (['gpu', 'elsewhere'] as const).flatMap(place => {
      const options = this.#options.filter(({group}) => group.in === place);
      if (options.length === 0) return [];
      const title = element('div', {className: 'search-place muted', text: places[place]});
      return [title, ...options.map(option => option.element)];
    });
    const more = element('div', {
      className: 'search-place muted',
      text: t('{0} more names with less time', formatCount(omitted)),
    });
    this.element.replaceChildren(...parts, ...(omitted > 0 ? [more] : []));
    this.element.hidden = groups.length === 0;
    this.element.scrollTop = 0;
  }

  hide(): void {
    this.#options = [];
    this.#chosen = -1;
    this.element.hidden = true;
  }

  /** Chooses the next or previous group; before the first, chooses none. @returns the option's id, '' for none */
  move(direction: -1 | 1): string {
    return this.#choose(Math.max(-1, Math.min(this.#options.length - 1, this.#chosen + direction)));
  }

  #choose(at: number): string {
    this.#at(this.#chosen)?.element.setAttribute('aria-selected', 'false');
    this.#chosen = at;
    const option = this.#at(at)?.element;
    option?.setAttribute('aria-selected', 'true');
    option?.scrollIntoView({block: 'nearest'});
    return option?.id ?? '';
  }

  #at(at: number): {readonly group: SearchGroup; readonly element: HTMLElement} | undefined {
    return at < 0 ? undefined : this.#options.at(at);
  }

  #option(group: SearchGroup, at: number): HTMLElement {
    const {name, shortName, count, totalNs} = group;
    const option = element('div', {
      className: 'search-option',
      attributes: {role: 'option', id: `found-${String(at)}`, 'aria-selected': 'false', title: name},
      children: [
        element('span', {className: 'search-name', text: shortName}),
        element('span', {className: 'search-figure', text: `×${formatCount(count)}`}),
        element('span', {className: 'search-figure', text: formatDuration(totalNs)}),
      ],
    });
    // The text field keeps the focus.
    option.addEventListener('mousedown', event => {
      event.preventDefault();
    });
    option.addEventListener('click', () => {
      this.#choose(at);
      this.choose(group);
    });
    return option;
  }
}
