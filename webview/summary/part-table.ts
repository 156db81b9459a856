import type {PartRow} from '../../src/core/summary/summary-text.js';
import type {TimePart} from '../../src/core/summary/time-parts.js';
import {element} from '../shared/dom.js';
import {t} from '../shared/translate.js';
import {iconButton} from '../shared/ui.js';
import type {Theme} from '../shared/theme.js';
import {exactNs} from './exact-ns.js';
import {swatch} from './swatch.js';

/** Links to the places of a part of the time. */
export interface PartActions {
  /** Null if it has no place in the timeline. */
  timeline(part: TimePart): (() => void) | null;
  /** Null if no table contains it. */
  table(part: TimePart): (() => void) | null;
}

/** Returns the legend of the bar, which also has its data as words and numbers. */
export function partTable(rows: readonly PartRow[], title: string, theme: Theme, actions: PartActions): HTMLElement {
  const head = [t('Part'), t('Time'), t('Share'), t('Where')].map((text, at) =>
    element('th', {text, attributes: {scope: 'col'}, className: at === 0 ? 'text' : ''}),
  );
  const body = rows.map(({part, title: name, meaning, ns, time, share}) =>
    element('tr', {
      attributes: {'data-part': part},
      children: [
        element('th', {
          className: 'text',
          attributes: {scope: 'row', title: meaning},
          children: [swatch(part, theme), document.createTextNode(name)],
        }),
        element('td', {text: time, attributes: {title: exactNs(ns)}}),
        element('td', {text: share}),
        element('td', {className: 'actions', children: buttonsOf(part, name, actions)}),
      ],
    }),
  );
  return element('table', {
    attributes: {'aria-label': title},
    children: [element('thead', {children: [element('tr', {children: head})]}), element('tbody', {children: body})],
  });
}

function buttonsOf(part: TimePart, name: string, actions: PartActions): HTMLElement[] {
  const timeline = actions.timeline(part);
  const table = actions.table(part);
  return [
    ...(timeline ? [iconButton('graph-line', t('{0}: show the longest in the timeline', name), timeline)] : []),
    ...(table ? [iconButton('table', t('{0}: show in tables', name), table)] : []),
  ];
}
