import {formatCount} from '../../src/core/format/count.js';
import {formatDuration, formatPercent} from '../../src/core/format/duration.js';
import {pathSharers, type PathSharer} from '../../src/core/what-if/recorded/path-shares.js';
import type {PathSummary} from '../../src/core/what-if/recorded/path-summary.js';
import {element} from '../shared/dom.js';
import {t} from '../shared/translate.js';
import {dropdown} from '../shared/ui.js';
import {exactNs} from './exact-ns.js';

/** The command line prints further rows. */
const mostRows = 12;

const choices: Readonly<Record<PathSharer, string>> = {
  kind: t('kind of time'),
  class: t('kernel class'),
  line: t('line'),
  module: t('module'),
};
const heads: Readonly<Record<PathSharer, string>> = {
  kind: t('Kind'),
  class: t('Class'),
  line: t('Line'),
  module: t('Module'),
};

/** Shows the composition of the usual step's critical path, by the measure chosen above. */
export class PathSection {
  readonly #body = element('div');
  readonly #title = element('h2');
  readonly element = element('section', {
    className: 'path',
    attributes: {'data-testid': 'path'},
    children: [this.#title, this.#body],
  });

  constructor() {
    this.hide();
  }

  /** Hides the section, also for a profile without a path. */
  hide(): void {
    this.element.hidden = true;
    this.#body.replaceChildren();
  }

  fail(text: string): void {
    this.element.hidden = false;
    this.#title.textContent = t('Critical path');
    this.#body.replaceChildren(element('p', {className: 'muted', text}));
  }

  show(path: PathSummary): void {
    this.element.hidden = false;
    const options = pathSharers.map(by => ({value: by, text: t('by {0}', choices[by])}));
    const fill = (by: PathSharer) => {
      this.#fill(path, by);
    };
    const list = dropdown(t('Shares of the critical path'), options, 'kind', value => {
      fill(pathSharers.find(by => by === value) ?? 'kind');
    });
    this.#title.replaceChildren(t('Critical path of {0}', path.window), list);
    fill('kind');
  }

  #fill(path: PathSummary, by: PathSharer): void {
    const {windowNs, pathNs, shares} = path;
    const rows = shares[by];
    const share = formatPercent(pathNs, windowNs);
    const hidden = rows.length - mostRows;
    const more = hidden > 0 ? t(' {0} more rows: gpu-lens critical-path FILE --by {1}.', formatCount(hidden), by) : '';
    const text = t(
      '{0} of {1} ({2}): operators, calls and GPU operations that waited for each other. X in the timeline draws it.{3}',
      formatDuration(pathNs),
      formatDuration(windowNs),
      share,
      more,
    );
    this.#body.replaceChildren(element('p', {className: 'muted', text}), shareTable(path, by));
  }
}

function shareTable({pathNs, shares}: PathSummary, by: PathSharer): HTMLElement {
  const head = [heads[by], t('Time'), t('Share')].map((text, at) =>
    element('th', {text, className: at === 0 ? 'text' : '', attributes: {scope: 'col'}}),
  );
  const rows = shares[by].slice(0, mostRows).map(({name, ns}) =>
    element('tr', {
      children: [
        element('th', {className: 'text name', text: name, attributes: {scope: 'row', title: name}}),
        element('td', {text: formatDuration(ns), attributes: {title: exactNs(ns)}}),
        element('td', {text: formatPercent(ns, pathNs)}),
      ],
    }),
  );
  return element('table', {
    attributes: {'aria-label': t('Critical path by {0}', choices[by])},
    children: [element('thead', {children: [element('tr', {children: head})]}), element('tbody', {children: rows})],
  });
}
