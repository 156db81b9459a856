import {element} from './dom.js';
import {t} from './translate.js';

export interface Tab {
  readonly id: string;
  readonly title: string;
  /** What it holds, for the tooltip. */
  readonly about: string;
  /** What stands together, under its title; absent where tabs have no groups. */
  readonly group?: string;
  /** Whether there is nothing in it: it is drawn faintly, and can be looked at all the same. */
  readonly isEmpty?: boolean;
}

/** A list of tabs: arrows move, as the ARIA pattern for tabs has it. */
export class TabBar {
  readonly element: HTMLElement;
  #ids: readonly string[] = [];

  /**
   * @param label what is chosen, for screen readers
   * @param panelOf the element that shows what a tab stands for
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

  /** The tabs that there are; the same ones stay, with other texts, so that the focus stays where it is. */
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
      if (isSelected) tab.scrollIntoView({block: 'nearest', inline: 'nearest'});
    }
  }

  #buttons(): HTMLButtonElement[] {
    return [...this.element.querySelectorAll('button')];
  }

  /** The buttons of tabs that follow one another in one group stand together, behind its title. */
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
