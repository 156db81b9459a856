import {element} from './dom.js';

export interface Tab {
  readonly id: string;
  readonly title: string;
  /** What it holds, for the tooltip. */
  readonly about: string;
}

/** A list of tabs: arrows move, as the ARIA pattern for tabs has it. */
export class TabBar {
  readonly element = element('div', {className: 'tabs', attributes: {role: 'tablist', 'aria-label': 'Tables'}});

  constructor(private readonly onChoose: (id: string) => void) {
    this.element.addEventListener('keydown', ({key}) => {
      const tabs = [...this.element.querySelectorAll('button')];
      const at = tabs.findIndex(tab => tab === document.activeElement);
      const step = {ArrowRight: 1, ArrowLeft: -1}[key];
      if (step === undefined || at < 0) return;
      const next = tabs[(at + step + tabs.length) % tabs.length];
      next.focus();
      next.click();
    });
  }

  show(tabs: readonly Tab[]): void {
    this.element.replaceChildren(
      ...tabs.map(({id, title, about}) => {
        const tab = element('button', {text: title, attributes: {role: 'tab', 'data-tab': id, title: about}});
        tab.addEventListener('click', () => {
          this.onChoose(id);
        });
        return tab;
      }),
    );
  }

  select(id: string): void {
    for (const tab of this.element.querySelectorAll('button')) {
      const isSelected = tab.dataset['tab'] === id;
      tab.setAttribute('aria-selected', String(isSelected));
      tab.tabIndex = isSelected ? 0 : -1;
      if (isSelected) tab.scrollIntoView({block: 'nearest', inline: 'nearest'});
    }
  }
}
