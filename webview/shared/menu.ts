import {element} from './dom.js';

/** An item of a menu. */
export interface MenuItem {
  readonly text: string;
  readonly run: () => void;
  /** Whether its option is on; absent for an action. */
  readonly isChecked?: boolean;
}

/** A menu at a position in its parent element: keys move in it, Escape and a click elsewhere close it. */
export class Menu {
  readonly #list = element('div', {className: 'menu', attributes: {role: 'menu', hidden: ''}});

  constructor(
    private readonly parent: HTMLElement,
    private readonly closed: () => void,
  ) {
    parent.append(this.#list);
    this.#list.addEventListener('keydown', event => this.#onKey(event));
    this.#list.addEventListener('focusout', event => {
      if (!this.#list.contains(event.relatedTarget as Node | null)) this.#list.hidden = true;
    });
  }

  show(items: readonly MenuItem[], xPx: number, yPx: number): void {
    this.#list.replaceChildren(...items.map(item => this.#itemElement(item)));
    this.#list.hidden = false;
    const {clientWidth, clientHeight} = this.parent;
    const {offsetWidth, offsetHeight} = this.#list;
    this.#list.style.left = `${String(Math.max(0, Math.min(xPx, clientWidth - offsetWidth)))}px`;
    this.#list.style.top = `${String(Math.max(0, Math.min(yPx, clientHeight - offsetHeight)))}px`;
    this.#focus(0);
  }

  #itemElement({text, run, isChecked}: MenuItem): HTMLElement {
    const state: Record<string, string> = isChecked === undefined ? {} : {'aria-checked': String(isChecked)};
    const role = isChecked === undefined ? 'menuitem' : 'menuitemcheckbox';
    const item = element('div', {className: 'menu-item', text, attributes: {role, tabindex: '-1', ...state}});
    item.addEventListener('click', () => {
      this.#close();
      run();
    });
    return item;
  }

  #close(): void {
    this.#list.hidden = true;
    this.closed();
  }

  #onKey(event: KeyboardEvent): void {
    const items = [...this.#list.children];
    const at = items.indexOf(document.activeElement ?? this.#list);
    const actions: Readonly<Record<string, () => void>> = {
      ArrowDown: () => this.#focus((at + 1) % items.length),
      ArrowUp: () => this.#focus((at + items.length - 1) % items.length),
      Home: () => this.#focus(0),
      End: () => this.#focus(items.length - 1),
      Escape: () => this.#close(),
      Tab: () => this.#close(),
      Enter: () => this.#clickAt(at),
      ' ': () => this.#clickAt(at),
    };
    event.stopPropagation();
    if (!Object.hasOwn(actions, event.key)) return;
    event.preventDefault();
    actions[event.key]();
  }

  #focus(index: number): void {
    const {[index]: item} = this.#list.children;
    if (item instanceof HTMLElement) item.focus();
  }

  #clickAt(index: number): void {
    const {[index]: item} = this.#list.children;
    if (item instanceof HTMLElement) item.click();
  }
}
