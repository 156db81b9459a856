import {formatCount} from '../../src/core/format/count.js';
import type {Hiding} from '../../src/core/layout/row-showing.js';
import type {SearchGroups} from '../../src/core/questions/search-groups.js';
import type {SearchPlace, SearchQuery} from '../../src/core/questions/search-slices.js';
import type {SliceDetails} from '../../src/core/questions/slice-details.js';
import {errorText} from '../shared/copied.js';
import {element, holdsFocus} from '../shared/dom.js';
import type {Host} from '../shared/host.js';
import {t} from '../shared/translate.js';
import {iconButton} from '../shared/ui.js';
import {SearchList} from './search-list.js';
import {uncoveredText} from './uncovered-text.js';

/** Where a search begins: the selected slice, else -1 and the window's left edge. */
interface SearchStart {
  readonly slice: number;
  readonly fromNs: number;
}

/** The search's access to the timeline. */
export interface SearchContext {
  readonly key: () => number;
  readonly from: () => SearchStart;
  /** The search begins at the timeline's current place. */
  readonly opened: () => void;
  /** Shows a match, and returns what hid its row. */
  readonly show: (hit: SliceDetails) => readonly Hiding[];
  /**
   * The search was closed.
   *
   * @param isLeft whether the timeline returns to its earlier place
   * @param hadKeys whether keys went to the search, and act on the timeline from now on
   */
  readonly closed: (isLeft: boolean, hadKeys: boolean) => void;
  /** "step 12" was typed; returns false if there is no such step. */
  readonly goToStep: (number: number) => boolean;
}

const typingDelayMs = 150;

/**
 * Finds slices by name: a list of the names with counts, next, previous, regular expressions; `step 12` goes to a step.
 */
export class SearchBar {
  readonly #input = element('input', {
    className: 'text-input',
    attributes: {
      ...{type: 'text', placeholder: t('Search names, or “step 12”'), 'aria-label': t('Search names')},
      'aria-controls': 'search-list',
    },
  });
  readonly #count = element('span', {className: 'muted', attributes: {'aria-live': 'polite', 'data-testid': 'hits'}});
  readonly #regex: HTMLElement;
  readonly element: HTMLElement;
  readonly list = new SearchList(() => void this.#go(1));
  #isRegex = false;
  #isWhole = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Where typing began: each further letter searches from there, not from what fewer letters found. */
  #typedFrom: SearchStart | null = null;
  /** Counts searches, so that answers to earlier ones can be dropped. */
  #asked = 0;
  /** The contents of the list, and their query. */
  #found: SearchGroups | null = null;
  #foundFor = '';

  constructor(
    private readonly host: Host,
    private readonly context: SearchContext,
  ) {
    this.#regex = iconButton('regex', t('Use a regular expression'), () => this.#toggleRegex());
    this.#regex.setAttribute('aria-pressed', 'false');
    this.element = element('div', {
      className: 'search',
      children: [
        this.#input,
        this.#regex,
        this.#count,
        iconButton('arrow-up', t('Previous (Shift+Enter)'), () => void this.#go(-1)),
        iconButton('arrow-down', t('Next (Enter)'), () => void this.#go(1)),
        iconButton('close', t('Close and stay here'), () => this.#close(false)),
      ],
    });
    this.element.hidden = true;
    this.#input.addEventListener('keydown', event => this.#onKey(event));
    // Meanwhile the timeline may have gone elsewhere.
    this.#input.addEventListener('focus', () => (this.#typedFrom = null));
    this.#input.addEventListener('input', () => {
      this.#isWhole = false;
      this.#typedFrom ??= this.context.from();
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => {
        this.#timer = undefined;
        void this.#go(1, true);
      }, typingDelayMs);
    });
  }

  open(): void {
    this.#show();
    this.#input.focus();
    this.#input.select();
  }

  /** Searches for slices with exactly this name. */
  searchSame(name: string): void {
    this.#show();
    this.#input.value = name;
    this.#isWhole = true;
    if (this.#isRegex) this.#setRegex(false);
    void this.#go(1);
  }

  /** Another profile is shown: earlier results do not apply to it. */
  end(): void {
    // The user may be typing elsewhere.
    if (!this.element.hidden) this.#close(false, holdsFocus(this.element));
  }

  #show(): void {
    if (this.element.hidden) this.context.opened();
    this.element.hidden = false;
    if (this.#found && this.#input.value !== '') this.list.show(this.#found);
  }

  #close(isLeft: boolean, hadKeys = true): void {
    this.#stopTimer();
    this.#asked++;
    this.#typedFrom = null;
    this.element.hidden = true;
    this.#count.textContent = '';
    this.#forget();
    this.context.closed(isLeft, hadKeys);
  }

  #forget(): void {
    this.#found = null;
    this.#foundFor = '';
    this.list.hide();
    this.#input.removeAttribute('aria-activedescendant');
  }

  #onKey(event: KeyboardEvent): void {
    if (event.key === 'Escape') this.#close(true);
    else if (event.key === 'ArrowDown') this.#choose(1);
    else if (event.key === 'ArrowUp') this.#choose(-1);
    else if (event.key === 'Enter') {
      // What was typed last may not have been searched for yet.
      const isTyped = this.#timer !== undefined;
      this.#stopTimer();
      void this.#go(event.shiftKey ? -1 : 1, isTyped);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #choose(direction: -1 | 1): void {
    const id = this.list.move(direction);
    if (id === '') this.#input.removeAttribute('aria-activedescendant');
    else this.#input.setAttribute('aria-activedescendant', id);
  }

  #stopTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #toggleRegex(): void {
    this.#stopTimer();
    this.#setRegex(!this.#isRegex);
    void this.#go(1, true);
  }

  #setRegex(isRegex: boolean): void {
    this.#isRegex = isRegex;
    this.#regex.setAttribute('aria-pressed', String(isRegex));
    this.#regex.classList.toggle('pressed', isRegex);
  }

  /** @param mayStay whether the slice where the search begins may match, too, as while the user types */
  async #go(direction: -1 | 1, mayStay = false): Promise<void> {
    if (!mayStay) this.#typedFrom = null;
    const text = this.#input.value;
    const asked = ++this.#asked;
    const step = /^(?:step|#)\s*(\d+)$/i.exec(text.trim());
    const isStep = step !== null && this.context.goToStep(Number(step[1]));
    if (text === '' || isStep) {
      this.#forget();
      if (isStep) this.#typedFrom = null;
      this.#count.textContent = isStep ? t('step {0}', step[1]) : '';
      return;
    }
    const isLast = () => asked === this.#asked;
    try {
      await this.#goTo({text, isRegex: this.#isRegex, isWhole: this.#isWhole}, direction, mayStay, isLast);
    } catch (error) {
      if (!isLast()) return;
      this.#forget();
      this.#count.textContent = errorText(error);
    }
  }

  /** Moves through the chosen group, else through matches on the GPU, else through all matches. */
  async #goTo(typed: SearchQuery, direction: -1 | 1, mayStay: boolean, isLast: () => boolean): Promise<void> {
    const {slice, fromNs} = this.#begin();
    const key = this.context.key();
    const found = await this.#find(key, typed);
    if (!isLast()) return;
    const {chosen} = this.list;
    const query: SearchQuery = chosen ? {text: chosen.name, isRegex: false, isWhole: true} : typed;
    const place: SearchPlace = chosen?.in ?? (found.gpuCount > 0 ? 'gpu' : 'all');
    const step = {after: slice, fromNs, direction, mayStay, in: place};
    const {count, position, hit} = await this.host.ask('timeline/search', {key, query, step});
    if (!isLast()) return;
    const isPart = chosen === null && place === 'gpu' && found.elsewhereCount > 0;
    const counted = t('{0} of {1}{2}', formatCount(position), formatCount(count), isPart ? t(' on the GPU') : '');
    const uncovered = uncoveredText(hit ? this.context.show(hit) : []);
    this.#count.textContent = [count === 0 ? t('No hits') : counted, uncovered].filter(part => part !== '').join(' · ');
  }

  #begin(): SearchStart {
    return this.#typedFrom ?? this.context.from();
  }

  /** Returns the matching names. Each text is queried only once, so that moving to the next match needs no query. */
  async #find(key: number, query: SearchQuery): Promise<SearchGroups> {
    const foundFor = JSON.stringify([key, query]);
    if (this.#found && foundFor === this.#foundFor) return this.#found;
    const asked = this.#asked;
    const found = await this.host.ask('timeline/search-groups', {key, query});
    if (asked === this.#asked) {
      this.#found = found;
      this.#foundFor = foundFor;
      this.list.show(found);
    }
    return found;
  }
}
