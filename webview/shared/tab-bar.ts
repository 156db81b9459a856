import {element} from './dom.js';
import {t} from './translate.js';

export interface Tab {
  readonly id: string;
  readonly title: string;
  /** Its contents, for the tooltip. */
  readonly about: string;
  /** The title of a group of tabs; absent if tabs have no groups. */
  readonly group?: string;
  /** Whether it has no contents: it is written in italics, but can be selected. */
  readonly isEmpty?: boolean;
}

/** A list of tabs; arrow keys move, as in the ARIA pattern for tabs. */
export class TabBar {
  readonly element: HTMLElement;
  #ids: readonly string[] = [];

  /**
   * @param label what the tabs choose, for screen readers
   * @param panelOf the element that shows a tab's contents
   */
  constructor(
    label: string,
    private readonly panelOf: (id: string) => HTMLElement,
    private readonly onChoose: (id: string) => void,
  ) {
    this.element = element('div', {className: 'tabs', attributes: {role: 'tablist', 'aria-label': label}});
    this.element.addEventListener('keydown', ({key}) => {
      const tabs = this.#buttons();
      const at = tabs.findIndex(tab => tab === document.activeElement);
      const step = {ArrowRight: 1, ArrowLeft: -1}[key];
      if (step === undefined || at < 0) return;
      const next = tabs[(at + step + tabs.length) % tabs.length];
      next.focus();
      next.click();
    });
  }

  /** Shows these tabs. Existing ones stay and get new texts, so that the focus stays. */
  show(tabs: readonly Tab[]): void {
    const ids = tabs.map(({id}) => id);
    if (ids.join('\n') !== this.#ids.join('\n')) {
      this.#ids = ids;
      this.element.replaceChildren(...this.#grouped(tabs));
    }
    this.#buttons().forEach((button, at) => {
      button.textContent = tabs[at].title;
      button.title = tabs[at].isEmpty ? t('This profile has no {0}.', tabs[at].about) : tabs[at].about;
      button.classList.toggle('empty', tabs[at].isEmpty === true);
    });
  }

  select(id: string): void {
    for (const tab of this.#buttons()) {
      const isSelected = tab.dataset['tab'] === id;
      tab.setAttribute('aria-selected', String(isSelected));
      tab.tabIndex = isSelected ? 0 : -1;
      if (!isSelected) continue;
      tab.scrollIntoView({block: 'nearest', inline: 'nearest'});
      const panel = this.panelOf(id);
      // Any other panel has a name of its own.
      if (panel.getAttribute('role') === 'tabpanel') panel.setAttribute('aria-label', tab.textContent);
    }
  }

  /** Focuses the selected tab. */
  focus(): void {
    this.element.querySelector<HTMLElement>('[aria-selected=true]')?.focus();
  }

  #buttons(): HTMLButtonElement[] {
    return [...this.element.querySelectorAll('button')];
  }

  /** Groups the buttons of consecutive tabs in one group behind its title. */
  #grouped(tabs: readonly Tab[]): HTMLElement[] {
    const found: HTMLElement[] = [];
    let group: HTMLElement | null = null;
    tabs.forEach((tab, at) => {
      const made = this.#made(tab.id);
      if (tab.group === undefined) found.push(made);
      else {
        if (!group || tabs[at - 1]?.group !== tab.group) {
          const title = element('span', {className: 'tab-group-title', text: tab.group});
          group = element('div', {className: 'tab-group', attributes: {role: 'presentation'}, children: [title]});
          found.push(group);
        }
        group.append(made);
      }
    });
    return found;
  }

  #made(id: string): HTMLElement {
    const panel = this.panelOf(id);
    if (panel.id === '') panel.id = `panel-of-${id}`;
    const attributes = {type: 'button', role: 'tab', 'data-tab': id, 'aria-controls': panel.id};
    const tab = element('button', {attributes});
    tab.addEventListener('click', () => {
      this.onChoose(id);
    });
    return tab;
  }
}
