import type {TraceNote} from '../../src/core/trace/trace.js';
import {element} from './dom.js';
import {t} from './translate.js';

/** Notes that the reader of a profile needs; several are collapsed to one line. Hidden if there are none. */
export class NotesList {
  /** Long notes can be scrolled with the keyboard. */
  readonly element = element('div', {
    className: 'notes',
    attributes: {tabindex: '0', role: 'region', 'aria-label': t('Notes on this profile')},
  });

  show(notes: readonly TraceNote[]): void {
    this.element.hidden = notes.length === 0;
    if (notes.length === 0) return;
    const [{text: first}] = notes;
    if (notes.length === 1) {
      this.element.replaceChildren(element('p', {text: first}));
      return;
    }
    const summary = element('summary', {text: t('{0} notes on this profile: {1}', notes.length, first)});
    const list = element('ul', {children: notes.map(({text}) => element('li', {text}))});
    this.element.replaceChildren(element('details', {children: [summary, list]}));
  }
}
