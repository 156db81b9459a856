import {communicationFraction, estimate, type Estimate} from '../../src/core/estimate/estimate.js';
import {EstimateError} from '../../src/core/estimate/estimate-error.js';
import {estimateColumns, estimateTable, type EstimateCell} from '../../src/core/estimate/estimate-table.js';
import {pandasNumber} from '../../src/core/estimate/notebook-text.js';
import {layerWeights} from '../../src/core/estimate/model-shape.js';
import {systemPreset} from '../../src/core/estimate/system-presets.js';
import {formatDuration, formatPercent} from '../../src/core/format/duration.js';
import {formatQuantity} from '../../src/core/format/quantity.js';
import type {Calibration} from '../../src/core/roofline/calibrate.js';
import {element} from '../shared/dom.js';
import {estimateChart} from './estimate-chart.js';
import {EstimateForm} from './estimate-form.js';
import {inputOfState, type EstimateState} from './estimate-state.js';
import {RowGrid, rowsText, type RowColumn, type RowGridContext} from '../shared/grid/row-grid.js';
import {svgText} from './chart-svg.js';
import {counted, t} from '../shared/translate.js';

const blockTitles = {mlp: 'MLP', moe: t('Experts'), attention: t('Attention')} as const;

/** Shows the cost of a Transformer, as defined by the form above it. It needs no profile. */
export class EstimatePanel {
  readonly element: HTMLElement;
  readonly #form: EstimateForm;
  readonly #summary = element('div', {
    className: 'summary',
    attributes: {'aria-live': 'polite', 'data-testid': 'summary'},
  });
  readonly #picture = element('div', {
    className: 'bars',
    attributes: {role: 'img', 'aria-label': t('Time of each layer')},
  });
  /** Can be scrolled with the keyboard, too. */
  readonly #tables = element('div', {
    className: 'tables',
    attributes: {tabindex: '0', role: 'region', 'aria-label': t('Tables of the estimate')},
  });
  #calibration: Calibration | null = null;
  #result: Estimate | null = null;

  constructor(
    private state: EstimateState,
    private readonly onChange: (state: EstimateState) => void,
    private readonly grids: RowGridContext,
  ) {
    this.#form = new EstimateForm(state, changed => {
      this.state = changed;
      this.onChange(changed);
      this.update();
    });
    this.element = element('div', {
      className: 'estimate',
      children: [this.#form.element, this.#summary, this.#picture, this.#tables],
    });
    new ResizeObserver(() => {
      this.#draw();
    }).observe(this.element);
  }

  /** Sets what the open profile measured; null for none. */
  calibrate(calibration: Calibration | null): void {
    this.#calibration = calibration;
    this.#form.offerCalibration(calibration !== null);
    this.update();
  }

  /** Returns the bars as a file; null if there are none. */
  picture(): string | null {
    const svg = this.#picture.querySelector('svg');
    return svg && svgText(svg);
  }

  /** Returns the tables as text; null if there are none. */
  text(format: 'csv' | 'markdown'): string | null {
    if (!this.#result) return null;
    const rows = this.#result.blocks.flatMap(block =>
      estimateTable(block).rows.map((row): BlockRow => ({block: blockTitles[block.name], ...row})),
    );
    return rowsText(['block', ...Object.keys(estimateColumns)].map(cellColumn), rows, format);
  }

  update(): void {
    try {
      this.#result = estimate(inputOfState(this.state, this.#calibration));
      this.#summary.textContent = summaryText(this.#result);
      this.#summary.title = systemPreset(this.state.systemId)?.source ?? '';
      this.#tables.replaceChildren(...this.#result.blocks.flatMap(block => blockTable(block, this.grids)));
    } catch (error) {
      if (!(error instanceof EstimateError)) throw error;
      this.#result = null;
      this.#summary.textContent = error.message;
      this.#tables.replaceChildren();
    }
    this.#draw();
  }

  #draw(): void {
    const {clientWidth} = this.element;
    this.#picture.replaceChildren();
    if (!this.#result || clientWidth < 200) return;
    const svg = estimateChart(this.#result, clientWidth - 24);
    if (svg) this.#picture.append(svg);
  }
}

function summaryText(result: Estimate): string {
  const {total, gpus, input} = result;
  const ms = total.forwardMs + total.backwardMs;
  const communicationMs = total.forwardCommunicationMs + total.backwardCommunicationMs;
  const share = formatPercent(communicationFraction(communicationMs, ms), 1);
  return [
    counted(gpus, '{1} weights on {0} GPU', '{1} weights on {0} GPUs', formatQuantity(layerWeights(input.shape), '')),
    t('forward {0}, backward {1}', formatDuration(total.forwardMs * 1e6), formatDuration(total.backwardMs * 1e6)),
    t('communication {0}', share),
    t('{0} a GPU', formatQuantity(total.forwardFlops + total.backwardFlops, 'FLOP')),
    t(
      'weights {0}, kept activations {1} a GPU',
      formatQuantity(total.weightBytes, 'B'),
      formatQuantity(total.bufferBytes, 'B'),
    ),
  ].join(' · ');
}

type BlockRow = Readonly<Record<string, EstimateCell>>;

function cellColumn(title: string): RowColumn<BlockRow> {
  const text = (row: BlockRow) => {
    const cell = row[title] ?? null;
    return typeof cell === 'number' ? pandasNumber(cell) : (cell ?? '');
  };
  if (/^(block|layer|comm_topology|comm_..._type)$/.test(title)) return {title, isText: true, text};
  const value = (row: BlockRow) => {
    const cell = row[title] ?? null;
    return typeof cell === 'number' ? cell : null;
  };
  return {title, value, text};
}

function blockTable(block: Estimate['blocks'][number], grids: RowGridContext): HTMLElement[] {
  const {rows, depth} = estimateTable(block);
  const columns = Object.keys(estimateColumns).map(cellColumn);
  const title = t('{0}, one of {1} layers (TFLOP, GB, ms)', blockTitles[block.name], depth);
  const grid = new RowGrid(title, columns, rows, grids);
  grid.element.classList.add('inline');
  return [element('h2', {text: title}), grid.element];
}
