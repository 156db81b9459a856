import {formatDuration} from '../../src/core/format/duration.js';
import {columnName} from '../../src/core/summary/summary-text.js';
import {partTexts} from '../../src/core/summary/time-parts.js';
import type {TimeSummary} from '../../src/core/summary/time-summary.js';
import {element} from '../shared/dom.js';
import {exactNs} from './exact-ns.js';
import {t} from '../shared/translate.js';

/** The chart of steps as a table. */
export function stepTable({columns, parts}: TimeSummary): HTMLElement {
  const titles = [t('Step'), t('Time'), ...parts.map(({part}) => partTexts[part][0])];
  const head = titles.map((text, at) =>
    element('th', {text, className: at === 0 ? 'text' : '', attributes: {scope: 'col'}}),
  );
  const rows = columns.map(column =>
    element('tr', {
      children: [
        element('th', {className: 'text', text: columnName(column), attributes: {scope: 'row'}}),
        ...[column.lengthNs, ...column.ns].map(ns =>
          element('td', {text: formatDuration(ns), attributes: {title: exactNs(ns)}}),
        ),
      ],
    }),
  );
  return element('div', {
    className: 'scrolled',
    children: [
      element('table', {
        attributes: {'aria-label': t('Steps')},
        children: [element('thead', {children: [element('tr', {children: head})]}), element('tbody', {children: rows})],
      }),
    ],
  });
}
