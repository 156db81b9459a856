import {element, unseen} from './dom.js';

/** Keys or mouse actions, and what they do. */
export type KeyHelp = readonly (readonly [keys: string, what: string])[];

/** The list of a chart's keys, over the chart. It takes the focus when it opens, so that screen readers read it. */
export class KeyList {
  readonly element: HTMLElement;

  /** @param onClose returns the focus */
  constructor(
    label: string,
    keys: KeyHelp,
    private readonly onClose: () => void,
  ) {
    const rows = keys.flatMap(([key, what]) => [
      element('dt', {children: [new Text(key), unseen(': ')]}),
      element('dd', {children: [new Text(what), unseen('. ')]}),
    ]);
    this.element = element('div', {
      className: 'key-list',
      attributes: {role: 'dialog', 'aria-label': label, tabindex: '-1'},
      children: [element('dl', {children: rows})],
    });
    this.element.hidden = true;
    this.element.addEventListener('keydown', event => {
      if (event.key !== 'Escape' && event.key !== '?') return;
      this.close();
      event.preventDefault();
    });
    this.element.addEventListener('click', () => this.close());
  }

  toggle(): void {
    if (this.close()) return;
    this.element.hidden = false;
    this.element.focus();
  }

  /** Returns whether it was open. */
  close(): boolean {
    const wasOpen = !this.element.hidden;
    this.element.hidden = true;
    if (wasOpen) this.onClose();
    return wasOpen;
  }
}
