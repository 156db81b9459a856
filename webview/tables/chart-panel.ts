import type {TableChart} from '../../src/core/tabs/table-chart.js';
import type {PageColumn, TablePage} from '../../src/core/tabs/table-page.js';
import type {SortKey} from '../../src/core/tabs/sort-rows.js';
import {onNextFrame} from '../shared/canvas.js';
import {element} from '../shared/dom.js';
import {onThemeChange, readTheme} from '../shared/theme.js';
import {say, t} from '../shared/translate.js';
import {button, dropdown, type Dropdown} from '../shared/ui.js';
import {drawChart} from './chart.js';
import {chartedColumn} from './charted-column.js';
import {chartLegend} from './stacked-bars.js';

/** Shows a table's rows as bars of one of its columns, in place of the grid. */
export class ChartPanel {
  readonly element = element('div', {
    className: 'chart',
    attributes: {'data-testid': 'chart', tabindex: '0', role: 'region', 'aria-label': t('Chart of the table')},
  });
  /** Switches between table and chart. */
  readonly switch: HTMLElement;
  /** The choice of the column; blank while the table is shown. */
  readonly choice = element('span');
  isShown = false;
  #chosen: string | null = null;
  #chart: TableChart | null = null;
  #list: {readonly control: Dropdown; readonly headers: readonly string[]} | null = null;
  readonly #draw = onNextFrame(() => {
    if (!this.#chart || this.element.clientWidth === 0) return;
    const theme = readTheme();
    const legend = chartLegend(this.#chart, theme);
    this.element.replaceChildren(...(legend ? [legend] : []), drawChart(this.#chart, this.element.clientWidth, theme));
  });

  /** @param onChange is called when the user chooses another column or goes back to the table */
  constructor(private readonly onChange: () => void) {
    this.switch = button(
      t('Chart'),
      () => {
        this.#switchTo(!this.isShown);
        onChange();
      },
      'icon',
    );
    new ResizeObserver(this.#draw).observe(this.element);
    onThemeChange(this.#draw);
  }

  /** The header of the chosen column; null for none. */
  get chosen(): string | null {
    return this.#chosen;
  }

  /** Restores the state. */
  restore(isShown: boolean, chosen: string | null): void {
    this.#chosen = chosen;
    this.#switchTo(isShown);
  }

  #switchTo(isShown: boolean): void {
    this.isShown = isShown;
    this.switch.textContent = isShown ? t('Table') : t('Chart');
  }

  /** Returns the column of a table to draw; -1 for none. */
  columnOf(columns: readonly PageColumn[], sort: readonly SortKey[]): number {
    return chartedColumn(columns, sort, this.#chosen);
  }

  show({columns}: TablePage, chart: TableChart): void {
    this.#chart = chart;
    const numbers = columns.filter(({isText}) => !isText);
    const headers = numbers.map(({header}) => header);
    if (this.#list?.headers.join('\n') !== headers.join('\n')) this.#offer(numbers, chart.header);
    else this.#list.control.value = chart.header;
    this.#draw();
  }

  /** Replaces the list only for other columns: a keyboard user may have the focus in it. */
  #offer(columns: readonly PageColumn[], shown: string): void {
    const headers = columns.map(({header}) => header);
    const choices = columns.map(({header, title}) => ({
      value: header,
      text: `${say(title)}${header.slice(title.length)}`,
    }));
    const control = dropdown(t('Column of the chart'), choices, shown, header => {
      this.#chosen = header;
      this.onChange();
    });
    this.#list = {control, headers};
    this.choice.replaceChildren(control);
  }

  hide(): void {
    this.#chart = this.#list = null;
    this.choice.replaceChildren();
    this.element.replaceChildren();
  }
}
