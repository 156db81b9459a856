import type {TableChart} from '../../src/core/tables/table-chart.js';
import type {PageColumn, TablePage} from '../../src/core/tables/table-page.js';
import type {SortKey} from '../../src/core/tables/table-rows.js';
import {onNextFrame} from '../shared/canvas.js';
import {element} from '../shared/dom.js';
import {button, dropdown} from '../shared/ui.js';
import {drawChart} from './chart.js';

/** A table's rows as bars of one of its columns, in the grid's place. */
export class ChartPanel {
  readonly element = element('div', {className: 'chart', attributes: {'data-testid': 'chart', tabindex: '0'}});
  /** Switches between table and chart. */
  readonly switch: HTMLElement;
  /** Which column; blank while the table is shown. */
  readonly choice = element('span');
  isShown = false;
  #chosen: string | null = null;
  #chart: TableChart | null = null;
  readonly #draw = onNextFrame(() => {
    if (!this.#chart || this.element.clientWidth === 0) return;
    this.element.replaceChildren(drawChart(this.#chart, this.element.clientWidth));
  });

  /** @param onChange called where another column is to be drawn, or the table to be shown again */
  constructor(private readonly onChange: () => void) {
    this.switch = button(
      'Chart',
      () => {
        this.isShown = !this.isShown;
        this.switch.textContent = this.isShown ? 'Table' : 'Chart';
        onChange();
      },
      'icon',
    );
    new ResizeObserver(this.#draw).observe(this.element);
  }

  /** The column to draw of a table: the one that was chosen, else the one sorted by, else the first with bars; -1 for none. */
  columnOf(columns: readonly PageColumn[], sort: readonly SortKey[]): number {
    const chosen = columns.findIndex(({header, isText}) => !isText && header === this.#chosen);
    if (chosen >= 0) return chosen;
    const sorted = sort.find(({column}) => columns.at(column)?.isText === false);
    if (sorted) return sorted.column;
    const withBar = columns.findIndex(({hasBar, header}) => hasBar && !header.includes('%'));
    return withBar >= 0 ? withBar : columns.findIndex(({isText}) => !isText);
  }

  show({columns}: TablePage, chart: TableChart): void {
    this.#chart = chart;
    const choices = columns.filter(({isText}) => !isText).map(({header}) => ({value: header, text: header}));
    this.choice.replaceChildren(
      dropdown('Column of the chart', choices, chart.header, header => {
        this.#chosen = header;
        this.onChange();
      }),
    );
    this.#draw();
  }

  hide(): void {
    this.#chart = null;
    this.choice.replaceChildren();
    this.element.replaceChildren();
  }
}
