import {formatCount} from '../../src/core/format/count.js';
import {formatDuration} from '../../src/core/format/duration.js';
import type {WindowSelection, WindowSummary} from '../../src/core/questions/window-summary.js';
import {errorText, tellCopied} from '../shared/copied.js';
import {element} from '../shared/dom.js';
import {RowGrid, type RowColumn} from '../shared/grid/row-grid.js';
import type {Host} from '../shared/host.js';
import {keptLayouts} from '../shared/kept-layouts.js';
import {TabBar} from '../shared/tab-bar.js';
import {t} from '../shared/translate.js';
import {iconButton} from '../shared/ui.js';
import {commandLineOptions} from './area-selection.js';
import {areaNote, areaTables, busyText, tableText, type AreaRow, type AreaTable} from './area-tables.js';

/** The panel beside the canvas, which shows the contents of the marked area. */
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
  readonly #grid: RowGrid<AreaRow>;
  #tables: readonly AreaTable[] = [];
  #note = '';
  #shown = 'operations';
  #asked = 0;

  constructor(
    private readonly host: Host,
    private readonly onClose: () => void,
  ) {
    const copied = (text: string) => this.#write(text, t('The selection'));
    this.#grid = new RowGrid<AreaRow>('', [], [], {layouts: keptLayouts(host), copy: copied});
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
    if (table.rows.length === 0) {
      const text = t('Nothing: no {0} in this area.', table.title.toLowerCase());
      this.#body.replaceChildren(element('p', {className: 'muted', text}));
      return;
    }
    this.#grid.update(table.title, table.columns.map(gridColumn), table.rows);
    // Keeps the focus in the grid while the area is drawn again.
    if (this.#grid.element.parentElement !== this.#body) this.#body.replaceChildren(this.#grid.element);
  }

  #copy(): void {
    const table = this.#tables.find(({id}) => id === this.#shown);
    if (!table) return;
    const {columns, rows} = table;
    const shown = this.#grid.shownColumns;
    const asShown = rows.length === 0 ? table : {columns: shown.map(at => columns[at]), rows: this.#rowsOf(shown)};
    this.#write(tableText(asShown, this.#note), table.title);
  }

  #rowsOf(shown: readonly number[]): AreaRow[] {
    return this.#grid.shownRows.map(({texts, plain}) => ({
      texts: shown.map(at => texts[at]),
      plain: shown.map(at => plain[at]),
    }));
  }

  #write(text: string, title: string): void {
    tellCopied(this.host.ask('clipboard/write', {text}), title, said => {
      this.#said.textContent = said;
    });
  }
}

/** The first column is a name: it leaves its room to the figures, and a shortened name has a tooltip. */
function gridColumn({title, about}: AreaTable['columns'][number], at: number): RowColumn<AreaRow> {
  const text = ({texts}: AreaRow) => texts[at];
  if (at === 0) return {title, about, text, whole: ({plain}) => String(plain[0]), isText: true, canShrink: true};
  return {title, about, text, value: ({plain}) => Number(plain[at])};
}
