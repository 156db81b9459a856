import {EstimateError} from '../../src/core/estimate/estimate-error.js';
import {shapeOf} from '../../src/core/estimate/model-config.js';
import {modelPresets} from '../../src/core/estimate/model-presets.js';
import type {ModelShape} from '../../src/core/estimate/model-shape.js';
import {precisions} from '../../src/core/estimate/precision.js';
import {
  optimizers,
  trainingMemory,
  trainingSetup,
  type TrainingMemory,
} from '../../src/core/estimate/training-memory.js';
import {estimateBeside, type CategoryBytes, type EstimateRow} from '../../src/core/memory-snapshot/estimate-beside.js';
import {formatBytes} from '../../src/core/memory-snapshot/format-bytes.js';
import {NumberField, Select} from '../roofline/controls.js';
import {element} from '../shared/dom.js';
import {RowGrid, rowsText, type RowColumn, type RowGridContext} from '../shared/grid/row-grid.js';
import {t} from '../shared/translate.js';

/** The properties of a model that have a field. */
const fields = [
  ['batch', t('Batch')],
  ['length', t('Tokens')],
  ['embedding', t('Width')],
  ['hidden', t('MLP width')],
  ['heads', t('Heads')],
  ['depth', t('Layers')],
] as const satisfies readonly (readonly [keyof ModelShape, string])[];

const named = (words: readonly string[]) => words.map(value => ({value, text: value}));
const asActivations = t('as activations');

/** Shows a model's memory by formula, beside the live bytes of a moment by category. */
export class MemoryEstimate {
  readonly #model = new Select(t('Model'), named(modelPresets.map(({id}) => id)), () => {
    // Another model has its own defaults.
    this.#fill();
    this.#draw();
  });
  readonly #fields = fields.map(([key, label]) => [key, new NumberField(label, this.#drawn())] as const);
  readonly #vocabulary = new NumberField(t('Vocabulary'), this.#drawn());
  readonly #precision = new Select(t('Activations'), named(precisions), this.#drawn());
  readonly #weights = new Select(t('Weights'), named([asActivations, ...precisions]), this.#drawn());
  readonly #optimizer = new Select(t('Optimizer'), named(optimizers), this.#drawn());
  readonly #text = element('p', {attributes: {'aria-live': 'polite', 'data-testid': 'estimate'}});
  readonly #table = element('div');
  readonly element: HTMLElement;
  #categories: readonly CategoryBytes[] = [];
  #rows: readonly EstimateRow[] = [];

  constructor(private readonly grids: RowGridContext) {
    this.#model.value = 'gpt2-xl';
    this.#vocabulary.value = 50_257;
    this.#precision.value = 'bf16';
    const sides = [...this.#fields.map(([, field]) => field), this.#vocabulary];
    const controls = [this.#model, ...sides, this.#precision, this.#weights, this.#optimizer];
    this.element = element('div', {
      children: [
        element('div', {className: 'form', children: controls.map(control => control.element)}),
        this.#text,
        this.#table,
      ],
    });
    this.#fill();
  }

  /** Shows the estimate beside other categories. */
  show(categories: readonly CategoryBytes[]): void {
    this.#categories = categories;
    this.#draw();
  }

  csv(): string {
    return rowsText(columns, this.#rows, 'csv');
  }

  #drawn(): () => void {
    return () => {
      this.#draw();
    };
  }

  #fill(): void {
    const shape = shapeOf({preset: this.#model.value});
    for (const [key, field] of this.#fields) field.value = shape[key];
  }

  #draw(): void {
    try {
      const {rows, text} = estimateBeside(this.#estimated(), this.#categories);
      this.#rows = rows;
      this.#text.textContent = text;
      const grid = new RowGrid(t('Estimate beside measured'), columns, rows, this.grids);
      grid.element.classList.add('inline');
      this.#table.replaceChildren(grid.element);
    } catch (error) {
      if (!(error instanceof EstimateError)) throw error;
      this.#rows = [];
      this.#text.textContent = error.message;
      this.#table.replaceChildren();
    }
  }

  /** @throws EstimateError */
  #estimated(): TrainingMemory {
    const changes = Object.fromEntries(this.#fields.map(([key, {value}]) => [key, value]));
    const shape = shapeOf({preset: this.#model.value, ...changes});
    const weights = this.#weights.value;
    const setup = trainingSetup({
      vocabulary: this.#vocabulary.value,
      optimizer: this.#optimizer.value,
      ...(weights !== asActivations && {weightPrecision: weights}),
    });
    const precision = precisions.find(word => word === this.#precision.value) ?? 'bf16';
    return trainingMemory({shape, precision}, setup);
  }
}

const bytes = (key: keyof EstimateRow & `${string}Bytes`, title: string, about: string): RowColumn<EstimateRow> => ({
  title,
  about,
  value: row => row[key],
  text: row => (row[key] === null ? '–' : formatBytes(row[key])),
});

const columns: readonly RowColumn<EstimateRow>[] = [
  bytes('estimatedBytes', t('Estimated'), t('By formula, from the shape of the model alone')),
  bytes('measuredBytes', t('Measured'), t('Live at this moment, by the category that stacks tell')),
  bytes('unexplainedBytes', t('Unexplained'), t('Measured less estimated')),
  {title: t('Part'), text: ({part}) => part, isText: true},
];
