import {formatCount} from '../../src/core/format/count.js';
import {formatDuration, formatPercent} from '../../src/core/format/duration.js';
import type {WindowSelection, WindowSummary} from '../../src/core/queries/window-summary.js';
import {element} from '../shared/dom.js';
import type {Host} from '../shared/host.js';
import {iconButton} from '../shared/ui.js';
import {commandLineOptions} from './area-selection.js';
import {areaTables, tableText, type AreaTable} from './area-tables.js';

/** The panel beside the canvas: what is inside the marked area. */
export class AreaPanel {
  readonly #title = element('div', {className: 'area-title', attributes: {'aria-live': 'polite'}});
  readonly #gpus = element('div', {className: 'muted'});
  readonly #tabs = element('div', {className: 'area-tabs', attributes: {role: 'tablist'}});
  readonly #body = element('div', {className: 'area-body'});
  readonly element = element('div', {
    className: 'area',
    attributes: {role: 'region', 'aria-label': 'What is inside the marked area', 'data-testid': 'area'},
  });
  #tables: readonly AreaTable[] = [];
  #shown = 0;
  #asked = 0;

  constructor(
    private readonly host: Host,
    private readonly onClose: () => void,
  ) {
    const copy = iconButton('copy', 'Copy the table', () => this.#copy());
    const close = iconButton('close', 'Close (Escape)', () => this.onClose());
    const head = element('div', {className: 'area-head', children: [this.#title, copy, close]});
    this.element.append(head, this.#gpus, this.#tabs, this.#body);
    this.element.hidden = true;
  }

  hide(): void {
    this.#asked++;
    this.element.hidden = true;
  }

  async show(key: number, selection: WindowSelection): Promise<void> {
    const asked = ++this.#asked;
    this.element.hidden = false;
    this.#title.textContent = `${formatDuration(selection.toNs - selection.fromNs)} marked`;
    this.#title.title = `The same on the command line: gpu-lens ranges ${commandLineOptions(selection)}`;
    try {
      const summary = await this.host.ask('timeline/window', {key, selection});
      if (asked === this.#asked) this.#fill(summary);
    } catch (error) {
      if (asked === this.#asked) this.#gpus.textContent = error instanceof Error ? error.message : String(error);
    }
  }

  #fill(summary: WindowSummary): void {
    const windowNs = summary.toNs - summary.fromNs;
    const busy = summary.devices.map(
      ({device, busyNs, idleNs}) =>
        `GPU ${String(device)} busy ${formatDuration(busyNs)}, idle ${formatDuration(idleNs)} (${formatPercent(idleNs, windowNs)})`,
    );
    const omitted = summary.omitted > 0 ? [`${formatCount(summary.omitted)} rows with less time are left out`] : [];
    this.#gpus.textContent = [...busy, ...omitted].join(' · ');
    this.#gpus.title = this.#gpus.textContent;
    this.#tables = areaTables(summary);
    const isEmpty = (table: AreaTable | undefined) => (table?.rows.length ?? 0) === 0;
    if (isEmpty(this.#tables[this.#shown]))
      this.#shown = Math.max(
        0,
        this.#tables.findIndex(table => !isEmpty(table)),
      );
    this.#showTable();
  }

  #showTable(): void {
    const tabs = this.#tables.map(({title, rows}, at) => {
      const tab = element('button', {
        className: 'tab',
        text: `${title} ${formatCount(rows.length)}`,
        attributes: {type: 'button', role: 'tab', 'aria-selected': String(at === this.#shown)},
      });
      tab.addEventListener('click', () => {
        this.#shown = at;
        this.#showTable();
      });
      return tab;
    });
    this.#tabs.replaceChildren(...tabs);
    const table = this.#tables[this.#shown];
    const header = element('tr', {
      children: table.columns.map(({title, about}) => element('th', {text: title, attributes: {title: about}})),
    });
    const rows = table.rows.map(cells =>
      element('tr', {
        children: cells.map(text => element('td', {text, attributes: {title: text}})),
      }),
    );
    this.#body.replaceChildren(
      rows.length === 0
        ? element('p', {className: 'muted', text: `Nothing: no ${table.title.toLowerCase()} in this area.`})
        : element('table', {
            children: [element('thead', {children: [header]}), element('tbody', {children: rows})],
          }),
    );
  }

  #copy(): void {
    const table = this.#tables.at(this.#shown);
    if (table) void this.host.ask('clipboard/write', {text: tableText(table)});
  }
}
