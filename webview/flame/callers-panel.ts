import {callersAndCallees, type CallersAndCallees, type NeighbourRow} from '../../src/core/flame/callers-callees.js';
import {isOfThreads, type FlameGraph, type FlameQuery, type FlameWeight} from '../../src/core/flame/flame-graph.js';
import {formatWeight, weightName} from '../../src/core/flame/flame-text.js';
import {csvCell} from '../../src/core/format/cells.js';
import {formatCount} from '../../src/core/format/count.js';
import {formatPercent} from '../../src/core/format/duration.js';
import {shortKernelName} from '../../src/core/names/short-kernel-name.js';
import {errorText} from '../shared/copied.js';
import {element} from '../shared/dom.js';
import {ColumnLayouts} from '../shared/grid/column-layouts.js';
import {RowGrid, type RowColumn} from '../shared/grid/row-grid.js';
import {t} from '../shared/translate.js';
import {button} from '../shared/ui.js';

/** Blocks that the keyboard only passes are not queried. */
const restMs = 150;

export interface CallersContext {
  /** Returns the flame graph of a query. */
  read(query: FlameQuery): Promise<FlameGraph>;
  copy(text: string): void;
}

/** Shows who calls the selected name, and what it calls, as two tables beside the flame graph. */
export class CallersPanel {
  readonly element = element('aside', {
    className: 'callers',
    attributes: {'aria-label': t('Callers and callees'), hidden: ''},
  });
  /** Kept while the view is open: the view's stored state belongs to the picture. */
  readonly #grids = {layouts: new ColumnLayouts(), copy: (text: string) => this.context.copy(text)};
  #asked: FlameQuery | null = null;
  #rest: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly context: CallersContext) {}

  get isOpen(): boolean {
    return !this.element.hidden;
  }

  /** Opens or closes the panel. */
  toggle(): void {
    this.element.hidden = this.isOpen;
  }

  /**
   * Shows the callers and callees of a name in the picture of a query, once the selection rests.
   *
   * @param name null for the name with the largest self weight
   */
  follow(query: FlameQuery, name: string | null): void {
    clearTimeout(this.#rest);
    if (this.isOpen) this.#rest = setTimeout(() => void this.show(query, name), restMs);
  }

  /** Removes the tables, and drops answers that are still under way: another profile is shown. */
  clear(): void {
    clearTimeout(this.#rest);
    this.#asked = null;
    this.element.replaceChildren();
  }

  /** Shows them immediately. */
  async show(query: FlameQuery, name: string | null): Promise<void> {
    clearTimeout(this.#rest);
    const {focus, ...others} = query;
    const focused = name ?? focus;
    const asked: FlameQuery = {
      ...others,
      mode: 'sandwich',
      ...(query.mode === 'time' && {isFolded: false}),
      ...(focused !== undefined && {focus: focused}),
    };
    this.#asked = asked;
    try {
      const graph = await this.context.read(asked);
      if (this.#asked === asked) this.#fill(asked, focused ?? graph.names[graph.nodes.name[0]], graph);
    } catch (error) {
      if (this.#asked === asked) this.element.replaceChildren(element('p', {text: errorText(error)}));
    }
  }

  #fill(query: FlameQuery, name: string, graph: FlameGraph): void {
    const {weight} = graph;
    const found = callersAndCallees(graph);
    const counted = isOfThreads(weight) ? '' : t(' · {0} GPU operations', formatCount(found.operations));
    const table = (title: string, rows: readonly NeighbourRow[], rest: string) => {
      const grid = new RowGrid(title, columnsOf(weight, found.total, title, rest), rows, this.#grids, row => {
        if (row.name !== null) void this.show(query, row.name);
      });
      grid.element.classList.add('inline');
      return grid.element;
    };
    this.element.replaceChildren(
      element('h2', {text: name}),
      element('p', {text: `${weightName(weight)} ${formatWeight(found.total, weight)}${counted}`}),
      table(t('Callers'), found.callers, noCaller),
      table(t('Callees'), found.callees, ownWork),
      button(t('Copy as CSV'), () => this.context.copy(callersCsv(name, weight, found)), 'secondary'),
    );
  }
}

const noCaller = t('(no caller)');
const ownWork = t('(itself)');

function columnsOf(weight: FlameWeight, all: number, title: string, rest: string): RowColumn<NeighbourRow>[] {
  return [
    {title: weightName(weight), value: ({total}) => total, text: ({total}) => formatWeight(total, weight)},
    {
      title: t('Share'),
      about: t('of the selected name'),
      value: ({total}) => total,
      text: ({total}) => formatPercent(total, all),
    },
    ...(isOfThreads(weight)
      ? []
      : [
          {
            title: t('Count'),
            about: t('GPU operations'),
            value: ({operations}: NeighbourRow) => operations,
            text: ({operations}: NeighbourRow) => formatCount(operations),
          },
        ]),
    {
      title,
      text: ({name, isOperation}) => (name !== null && isOperation ? shortKernelName(name) : (name ?? rest)),
      whole: ({name}) => name ?? rest,
      isText: true,
    },
  ];
}

const units: Readonly<Record<FlameWeight, string>> = {
  'gpu-work': ' (ns)',
  'gpu-busy': ' (ns)',
  cpu: ' (ns)',
  launches: '',
  bytes: ' (bytes)',
  memory: ' (bytes)',
};

/** Returns both tables as one text, with exact numbers. */
function callersCsv(name: string, weight: FlameWeight, {callers, callees}: CallersAndCallees): string {
  const lines = [
    ['Of', 'Side', 'Name', `${weightName(weight)}${units[weight]}`, 'GPU operations'],
    ...callers.map(row => [name, 'caller', row.name ?? noCaller, String(row.total), String(row.operations)]),
    ...callees.map(row => [name, 'callee', row.name ?? ownWork, String(row.total), String(row.operations)]),
  ];
  return lines.map(line => `${line.map(csvCell).join(',')}\n`).join('');
}
