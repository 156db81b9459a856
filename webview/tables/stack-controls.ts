import {
  stackKindTexts,
  type RangeStack,
  type StackChoices,
  type StackKind,
} from '../../src/core/attribution/range-stack.js';
import {element} from '../shared/dom.js';
import {say, t} from '../shared/translate.js';
import {checkbox, dropdown} from '../shared/ui.js';
import {choiceOf, stackOf, type StackChoice} from './stack-choice.js';

/**
 * Chooses what counts as a range in the tables: kinds, an NVTX domain, and whether names that differ by numbers are
 * folded.
 */
export class StackControls {
  readonly element = element('span', {
    className: 'stack',
    attributes: {role: 'group', 'aria-label': t('What counts as a range')},
  });
  #choices: StackChoices = {kinds: [], domains: []};
  #choice: StackChoice = {kinds: [], domain: null, unfolded: null};

  constructor(private readonly onChange: () => void) {}

  /** Offers the choices of a profile. @param stack the selected one, as far as the profile has it */
  offer(choices: StackChoices, stack: RangeStack): void {
    this.#choices = choices;
    this.#choice = choiceOf(stack, choices);
    this.#show();
  }

  /**
   * Takes slices of one kind as ranges, of every domain and without folding; without a kind, takes the user's own
   * ranges.
   */
  choose(kind: StackKind | undefined): void {
    this.offer(this.#choices, kind === undefined ? {} : {kinds: [kind]});
  }

  /** The selected stack; empty for the default. */
  get stack(): RangeStack {
    return stackOf(this.#choice, this.#choices);
  }

  /** Shows the names behind a folded one separately. */
  unfold(name: string): void {
    const {unfolded} = this.#choice;
    if (unfolded) this.#change({unfolded: [...unfolded, name]});
  }

  #change(part: Partial<StackChoice>): void {
    this.#choice = {...this.#choice, ...part};
    this.onChange();
  }

  #show(): void {
    const {kinds, domains} = this.#choices;
    this.element.replaceChildren(
      ...(kinds.length < 2 ? [] : kinds.map(kind => this.#kindBox(kind))),
      ...(domains.length < 2 ? [] : [this.#domainList(domains)]),
      ...(kinds.length === 0 ? [] : [this.#foldBox()]),
    );
  }

  #kindBox(kind: StackKind): HTMLElement {
    return checkbox(say(stackKindTexts[kind]), this.#choice.kinds.includes(kind), isOn => {
      const {kinds} = this.#choice;
      this.#change({kinds: this.#choices.kinds.filter(other => (other === kind ? isOn : kinds.includes(other)))});
    });
  }

  #domainList(domains: readonly string[]): HTMLElement {
    // A domain may have any name, so its index represents it.
    const names = [t('All domains'), ...domains.map(domain => (domain === '' ? t('Default domain') : domain))];
    const {domain} = this.#choice;
    const chosen = domain === null ? 0 : domains.indexOf(domain) + 1;
    const choices = names.map((text, at) => ({value: String(at), text}));
    return dropdown(t('NVTX domain'), choices, String(chosen), at => {
      this.#change({domain: domains[Number(at) - 1] ?? null});
    });
  }

  #foldBox(): HTMLElement {
    return checkbox(t('Fold names'), this.#choice.unfolded !== null, isOn => {
      this.#change({unfolded: isOn ? [] : null});
    });
  }
}
