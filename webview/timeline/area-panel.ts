import {formatCount} from '../../src/core/format/count.js';
import {formatDuration} from '../../src/core/format/duration.js';
import type {WindowSelection, WindowSummary} from '../../src/core/questions/window-summary.js';
import {errorText, tellCopied} from '../shared/copied.js';
import {element} from '../shared/dom.js';
import type {Host} from '../shared/host.js';
import {TabBar} from '../shared/tab-bar.js';
import {t} from '../shared/translate.js';
import {iconButton} from '../shared/ui.js';
import {commandLineOptions} from './area-selection.js';
import {areaNote, areaTables, busyText, tableText, type AreaTable} from './area-tables.js';

/** The panel beside the canvas: what is inside the marked area. */
export class AreaPanel {
  readonly #title = element('div', {className: 'area-title', attributes: {'aria-live': 'polite'}});
  readonly #gpus = element('div', {className: 'muted', attributes: {'aria-live': 'polite'}});
  readonly #said = element('div', {className: 'muted', attributes: {'aria-live': 'polite'}});
  readonly #body = element('div', {className: 'area-body'});
  readonly element = element('div', {
    className: 'area',
    attributes: {role: 'region', 'aria-label': t('What is inside the marked area'), 'data-testid': 'area'},
  });
  readonly #tabs = new TabBar(
    t('What is inside the marked area'),
    () => this.#body,
    id => {
      this.#shown = id;
      this.#showTable();
    },
  );
  #tables: readonly AreaTable[] = [];
  #note = '';
  #shown = 'operations';
  #asked = 0;

  constructor(
    private readonly host: Host,
    private readonly onClose: () => void,
  ) {
    const copy = iconButton('copy', t('Copy the table'), () => this.#copy());
    const save = iconButton('save', t('Save this window as…'), () => {
      void this.host.ask('view/command', {command: 'save-part'});
    });
    const close = iconButton('close', t('Close (Escape)'), () => this.onClose());
    const head = element('div', {className: 'area-head', children: [this.#title, copy, save, close]});
    this.element.append(head, this.#gpus, this.#said, this.#tabs.element, this.#body);
    this.element.hidden = true;
  }

  hide(): void {
    this.#asked++;
    this.element.hidden = true;
  }

  async show(key: number, selection: WindowSelection): Promise<void> {
    const asked = ++this.#asked;
    this.element.hidden = false;
    this.#said.textContent = '';
    // The figures of the area before must not be read as those of this one.
    this.element.setAttribute('aria-busy', 'true');
    this.#title.textContent = t('{0} marked', formatDuration(selection.toNs - selection.fromNs));
    this.#title.title = t('The same on the command line: gpu-lens ranges {0}', commandLineOptions(selection));
    try {
      const summary = await this.host.ask('timeline/window', {key, selection});
      if (asked === this.#asked) this.#fill(summary, selection);
    } catch (error) {
      if (asked === this.#asked) this.#fail(errorText(error));
    }
    if (asked === this.#asked) this.element.removeAttribute('aria-busy');
  }

  #fail(text: string): void {
    this.#tables = [];
    this.#tabs.show([]);
    this.#body.replaceChildren();
    this.#gpus.textContent = this.#gpus.title = text;
  }

  #fill(summary: WindowSummary, selection: WindowSelection): void {
    this.#note = areaNote(summary);
    this.#gpus.textContent = [busyText(summary, selection), this.#note].filter(text => text !== '').join(' · ');
    this.#gpus.title = this.#gpus.textContent;
    this.#tables = areaTables(summary);
    const shown = this.#tables.find(({id}) => id === this.#shown);
    if (!shown || shown.rows.length === 0)
      this.#shown = this.#tables.find(({rows}) => rows.length > 0)?.id ?? 'operations';
    this.#tabs.show(
      this.#tables.map(({id, title, rows}) => ({id, title: `${title} ${formatCount(rows.length)}`, about: title})),
    );
    this.#showTable();
  }

  #showTable(): void {
    const table = this.#tables.find(({id}) => id === this.#shown);
    if (!table) return;
    this.#tabs.select(table.id);
    const header = element('tr', {
      children: table.columns.map(({title, about}) => element('th', {text: title, attributes: {title: about}})),
    });
    const rows = table.rows.map((cells, row) =>
      element('tr', {
        // A name that is shown short is whole in its title.
        children: cells.map((text, at) =>
          element('td', {text, attributes: {title: at === 0 ? String(table.plain[row][0]) : text}}),
        ),
      }),
    );
    this.#body.replaceChildren(
      rows.length === 0
        ? element('p', {className: 'muted', text: t('Nothing: no {0} in this area.', table.title.toLowerCase())})
        : element('table', {
            children: [element('thead', {children: [header]}), element('tbody', {children: rows})],
          }),
    );
  }

  #copy(): void {
    const table = this.#tables.find(({id}) => id === this.#shown);
    if (!table) return;
    tellCopied(this.host.ask('clipboard/write', {text: tableText(table, this.#note)}), table.title, text => {
      this.#said.textContent = text;
    });
  }
}
