import {holdsFocus} from './dom.js';

/** Takes the keyboard focus, if it is shown. */
interface Focusable {
  focus(): void;
}

/**
 * Keeps the keyboard focus of a control that a view hides or removes until an answer arrives. The browser moves it to
 * the page's body, where the view's keys do nothing.
 */
export class KeptFocus {
  #control: HTMLElement | null = null;

  /**
   * Remembers which control of a part has the focus, before the part is hidden. If none has it, a control that still
   * waits for its answer stays remembered.
   *
   * @param except a control in it whose focus something else restores
   */
  keep(part: Element, except?: Element): void {
    const {activeElement} = document;
    if (!holdsFocus(part) || except?.contains(activeElement)) return;
    this.#control = activeElement instanceof HTMLElement ? activeElement : null;
  }

  /**
   * Gives the focus back to the remembered control. Whatever else has taken it meanwhile keeps it.
   *
   * @param others the first that is shown takes the focus if the control is gone
   */
  giveBack(...others: Focusable[]): void {
    const control = this.#control;
    this.#control = null;
    if (!control) return;
    for (const target of [control, ...others])
      if (document.hasFocus() && document.activeElement === document.body) target.focus();
  }
}
