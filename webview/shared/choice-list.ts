import {element, holdsFocus} from './dom.js';
import {dropdown, type Choice} from './ui.js';

/** Stands for no choice: an empty value would be replaced by its text. */
const noChoice = 'all';

/** A list of choices that differ by profile; hidden if there is nothing to choose. */
export class ChoiceList {
  readonly element = element('span', {className: 'choice'});
  #value: string | null = null;

  constructor(
    private readonly label: string,
    private readonly onChange: () => void,
  ) {
    this.element.hidden = true;
  }

  /** The choice; null for all. */
  get value(): string | null {
    return this.#value;
  }

  focus(): void {
    this.element.querySelector<HTMLElement>('vscode-dropdown')?.focus();
  }

  /**
   * Replaces the choices. The keyboard focus stays on the list.
   *
   * @param all the text for no choice; null if there must be one
   * @param chosen one of the choices; null for all
   */
  offer(all: string | null, choices: readonly Choice[], chosen: string | null): void {
    const hadFocus = holdsFocus(this.element);
    this.#value = chosen;
    this.element.hidden = choices.filter(({isDisabled}) => isDisabled !== true).length < 2;
    const offered = all === null ? choices : [{value: noChoice, text: all}, ...choices];
    this.element.replaceChildren(
      dropdown(this.label, offered, chosen ?? noChoice, value => {
        this.#value = value === noChoice ? null : value;
        this.onChange();
      }),
    );
    if (hadFocus) this.focus();
  }
}
