import {scopeText} from '../../src/core/text/line-timing.js';
import type {TimeWindow} from '../../src/core/base/time-window.js';
import {element} from './dom.js';
import {t} from './translate.js';

/** Shows that figures apply to the window marked in the timeline; a click returns to the whole profile. */
export class ScopeChip {
  readonly element = element('button', {
    className: 'chip',
    attributes: {
      type: 'button',
      title: t('Figures on lines and in tables are of this window. Click (or Escape): of the whole profile again.'),
      'data-testid': 'scope',
    },
  });

  constructor(onClear: () => void) {
    this.element.hidden = true;
    this.element.addEventListener('click', onClear);
  }

  show(window: TimeWindow | null): void {
    this.element.hidden = window === null;
    const text = window ? scopeText(window) : '';
    this.element.textContent = `${text.charAt(0).toUpperCase()}${text.slice(1)} ✕`;
  }
}
