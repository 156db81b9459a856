import type {TraceNote} from '../../src/core/trace/trace.js';
import {element} from './dom.js';

/** What a reader of the profile must know, folded to one line; hidden where there is nothing to say. */
export class NotesList {
  readonly element = element('details', {className: 'notes'});

  show(notes: readonly TraceNote[]): void {
    this.element.hidden = notes.length === 0;
    this.element.open = false;
    if (notes.length === 0) return;
    const summary =
      notes.length === 1 ? notes[0].text : `${String(notes.length)} notes on this profile: ${notes[0].text}`;
    const items = notes.length === 1 ? [] : notes.map(({text}) => element('li', {text}));
    this.element.replaceChildren(element('summary', {text: summary}), element('ul', {children: items}));
  }
}
