import {formatCount} from '../../src/core/format/count.js';
import {formatDuration, formatPercent} from '../../src/core/format/duration.js';
import type {TopList, TopRow} from '../../src/core/summary/summary-tops.js';
import type {RowTarget} from '../../src/protocol/view-messages.js';
import {bucketText} from '../../src/core/names/bucket-name.js';
import {shortKernelName} from '../../src/core/names/short-kernel-name.js';
import {displayName} from '../../src/core/names/slice-name.js';
import {element} from '../shared/dom.js';
import {t} from '../shared/translate.js';
import {iconButton} from '../shared/ui.js';
import {exactNs} from './exact-ns.js';

export interface TopActions {
  show(list: TopList, row: TopRow, target: RowTarget): void;
  openTable(tab: string): void;
}

const targets: readonly (readonly [target: RowTarget, icon: string, text: string])[] = [
  ['timeline', 'graph-line', t('show in timeline')],
  ['flame', 'flame', t('show in flame graph')],
  ['source', 'go-to-file', t('go to source')],
];

/** Returns the largest entries of one kind as a table, with links in each row. */
export function topTable(list: TopList, actions: TopActions): HTMLElement {
  const {title, measure, rows, others, tab} = list;
  const more = others > 0 ? t(' and {0} more', formatCount(others)) : '';
  const heading = element('div', {className: 'heading', children: [element('h3', {text: title})]});
  if (tab !== null) {
    heading.append(
      iconButton('table', t('{0}{1}: show in tables', title, more), () => {
        actions.openTable(tab);
      }),
    );
  }
  const head = [t('Name'), measure, t('Share'), t('Count'), t('Where')].map((text, at) =>
    element('th', {text, className: at === 0 ? 'text' : '', attributes: {scope: 'col'}}),
  );
  return element('section', {
    className: 'top',
    children: [
      heading,
      element('table', {
        attributes: {'aria-label': title},
        children: [
          element('thead', {children: [element('tr', {children: head})]}),
          element('tbody', {children: rows.map(row => tableRow(list, row, actions))}),
        ],
      }),
    ],
  });
}

function tableRow(list: TopList, row: TopRow, actions: TopActions): HTMLElement {
  const {path, ns, count} = row;
  const name = list.row === 'kernel' ? shortKernelName(row.name) : bucketText(displayName(row.name));
  const buttons = targetsOf(list, row).map(([target, icon, text]) =>
    iconButton(icon, `${name}: ${text}`, () => {
      actions.show(list, row, target);
    }),
  );
  return element('tr', {
    ...(row.isBucket && {className: 'muted'}),
    children: [
      element('th', {
        className: 'text name',
        attributes: {scope: 'row', title: path},
        children: [element('span', {text: name})],
      }),
      element('td', {text: formatDuration(ns), attributes: {title: exactNs(ns)}}),
      element('td', {text: formatPercent(ns, list.allNs)}),
      element('td', {text: formatCount(count)}),
      element('td', {className: 'actions', children: buttons}),
    ],
  });
}

/** Work without a name has no place as a whole; a line has only its source. */
function targetsOf({row}: TopList, {isBucket, frame}: TopRow): typeof targets {
  if (row === 'plain') return frame === null ? [] : targets.slice(2);
  return isBucket ? [] : targets;
}
