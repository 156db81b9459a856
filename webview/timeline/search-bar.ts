import {formatCount} from '../../src/core/format/count.js';
import type {Hiding} from '../../src/core/layout/row-showing.js';
import type {SliceDetails} from '../../src/core/questions/slice-details.js';
import {element} from '../shared/dom.js';
import type {Host} from '../shared/host.js';
import {iconButton} from '../shared/ui.js';
import {uncoveredText} from './uncovered-text.js';

/** What a search is told, and tells. */
export interface SearchContext {
  readonly key: () => number;
  /** Where a search begins: the selected slice, else -1 and the window's left edge. */
  readonly from: () => {readonly slice: number; readonly fromNs: number};
  /** Shows a hit, and returns what hid its row. */
  readonly show: (hit: SliceDetails) => readonly Hiding[];
  /** The search was closed: the keys are the timeline's again. */
  readonly closed: () => void;
  /** "step 12" was typed; false where there is no such step. */
  readonly goToStep: (number: number) => boolean;
}

const typingDelayMs = 150;

/** Finds slices by name: count, next, previous, regular expressions; `step 12` goes to a step. */
export class SearchBar {
  readonly #input = element('input', {
    className: 'text-input',
    attributes: {type: 'text', placeholder: 'Search names, or “step 12”', 'aria-label': 'Search names'},
  });
  readonly #count = element('span', {className: 'muted', attributes: {'aria-live': 'polite', 'data-testid': 'hits'}});
  readonly #regex: HTMLElement;
  readonly element: HTMLElement;
  #isRegex = false;
  #isWhole = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Counts searches: an answer to one before is of no use. */
  #asked = 0;

  constructor(
    private readonly host: Host,
    private readonly context: SearchContext,
  ) {
    this.#regex = iconButton('regex', 'Use a regular expression', () => this.#toggleRegex());
    this.#regex.setAttribute('aria-pressed', 'false');
    this.element = element('div', {
      className: 'search',
      children: [
        this.#input,
        this.#regex,
        this.#count,
        iconButton('arrow-up', 'Previous (Shift+Enter)', () => void this.#go(-1)),
        iconButton('arrow-down', 'Next (Enter)', () => void this.#go(1)),
        iconButton('close', 'Close (Escape)', () => this.close()),
      ],
    });
    this.element.hidden = true;
    this.#input.addEventListener('keydown', event => this.#onKey(event));
    this.#input.addEventListener('input', () => {
      this.#isWhole = false;
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => void this.#go(1, true), typingDelayMs);
    });
  }

  open(): void {
    this.element.hidden = false;
    this.#input.focus();
    this.#input.select();
  }

  /** Looks for slices that are called so to the letter. */
  searchSame(name: string): void {
    this.element.hidden = false;
    this.#input.value = name;
    this.#isWhole = true;
    if (this.#isRegex) this.#setRegex(false);
    void this.#go(1);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#asked++;
    this.element.hidden = true;
    this.#count.textContent = '';
    this.context.closed();
  }

  #onKey(event: KeyboardEvent): void {
    if (event.key === 'Escape') this.close();
    else if (event.key === 'Enter') {
      clearTimeout(this.#timer);
      void this.#go(event.shiftKey ? -1 : 1);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #toggleRegex(): void {
    clearTimeout(this.#timer);
    this.#setRegex(!this.#isRegex);
    void this.#go(1, true);
  }

  #setRegex(isRegex: boolean): void {
    this.#isRegex = isRegex;
    this.#regex.setAttribute('aria-pressed', String(isRegex));
    this.#regex.classList.toggle('pressed', isRegex);
  }

  /** @param mayStay whether the selected slice is the hit where it fits: a name that is still typed does not move on */
  async #go(direction: -1 | 1, mayStay = false): Promise<void> {
    const text = this.#input.value;
    const asked = ++this.#asked;
    if (text === '') {
      this.#count.textContent = '';
      return;
    }
    const step = /^(?:step|#)\s*(\d+)$/i.exec(text.trim());
    if (step && this.context.goToStep(Number(step[1]))) {
      this.#count.textContent = `step ${step[1]}`;
      return;
    }
    const {slice, fromNs} = this.context.from();
    try {
      const {count, position, hit} = await this.host.ask('timeline/search', {
        key: this.context.key(),
        query: {text, isRegex: this.#isRegex, isWhole: this.#isWhole},
        step: {after: slice, fromNs, direction, mayStay},
      });
      if (asked !== this.#asked) return;
      const place = count === 0 ? 'No hits' : `${formatCount(position)} of ${formatCount(count)}`;
      const uncovered = uncoveredText(hit ? this.context.show(hit) : []);
      this.#count.textContent = uncovered === '' ? place : `${place} · ${uncovered}`;
    } catch (error) {
      if (asked === this.#asked) this.#count.textContent = error instanceof Error ? error.message : String(error);
    }
  }
}
