import {element, unseen} from '../shared/dom.js';
import {keysHelp} from './gestures.js';
import {t} from '../shared/translate.js';

/** The list of keys, over the canvas. */
export class HelpPanel {
  readonly element = element('div', {
    className: 'help',
    attributes: {role: 'dialog', 'aria-label': t('Keys of the timeline'), tabindex: '-1'},
    children: [
      element('dl', {
        children: keysHelp.flatMap(([keys, what]) => [
          element('dt', {children: [new Text(keys), unseen(': ')]}),
          element('dd', {children: [new Text(what), unseen('. ')]}),
        ]),
      }),
    ],
  });

  /** @param onClose returns the focus */
  constructor(private readonly onClose: () => void) {
    this.element.hidden = true;
    this.element.addEventListener('keydown', event => {
      if (event.key !== 'Escape' && event.key !== '?') return;
      this.toggle();
      event.preventDefault();
    });
    this.element.addEventListener('click', () => this.toggle());
  }

  toggle(): void {
    this.element.hidden = !this.element.hidden;
    if (this.element.hidden) this.onClose();
    else this.element.focus();
  }
}
