import {precisionTable, type PrecisionRow} from '../../src/core/benchmark/precision-map.js';
import {canProfile, type Measurement} from '../../src/core/benchmark/measurement.js';
import {element} from '../shared/dom.js';
import type {RowGridContext} from '../shared/grid/row-grid.js';
import {button} from '../shared/ui.js';
import {LayoutGrid} from './layout-grid.js';
import {figuresOf, measurementName, type Strip} from './measurement-text.js';
import {stripsElement} from './strips.js';
import {t} from '../shared/translate.js';

export interface DetailsHandlers {
  profile(id: number): void;
  /** The data types of one step; empty if they could not be found. */
  precision(id: number): Promise<readonly PrecisionRow[]>;
  /** The environment in which the point was measured. */
  environment(id: number): Promise<readonly (readonly [string, string])[]>;
}

/** Shows everything about one measurement, including its steps. */
export class Details {
  readonly element = element('section', {className: 'point', attributes: {'aria-label': t('Selected point')}});
  #shown: Measurement | null = null;
  #key = '';
  /**
   * Counts the selected points: an answer about an earlier one is not shown. Their ids do not suffice, because each
   * sweep counts its own points.
   */
  #selection = 0;
  readonly #environment = element('div', {attributes: {'data-testid': 'environment'}});
  readonly #precision = element('div', {attributes: {'data-testid': 'precision', 'aria-live': 'polite'}});

  constructor(
    private readonly grids: RowGridContext,
    private readonly handlers: DetailsHandlers,
  ) {}

  /** @param isOfSweep whether it can be profiled @param strips its drawn steps */
  show(measurement: Measurement | null, isOfSweep: boolean, hasProfile: boolean, strips: readonly Strip[]): void {
    // Results of other points arrive while the user looks at this one: unchanged content stays, and so does the focus
    // in it.
    const key = JSON.stringify([measurement, isOfSweep, hasProfile, strips]);
    if (key === this.#key) return;
    this.#key = key;
    const isSame = measurement !== null && this.#shown?.id === measurement.id;
    this.#shown = measurement;
    this.element.hidden = measurement === null && strips.length === 0;
    const heading = measurement === null ? [] : [this.#heading(measurement, isOfSweep, hasProfile)];
    const figures = measurement === null ? [] : [list(figuresOf(measurement))];
    this.element.replaceChildren(...heading, ...figures, stripsElement(strips), this.#environment, this.#precision);
    if (isSame) return;
    const selection = ++this.#selection;
    this.#environment.replaceChildren();
    this.#precision.replaceChildren();
    if (measurement === null || !isOfSweep) return;
    void this.handlers.environment(measurement.id).then(lines => {
      if (selection === this.#selection) this.#environment.replaceChildren(list(lines));
    });
  }

  #heading(measurement: Measurement, isOfSweep: boolean, hasProfile: boolean): HTMLElement {
    const profile = button(
      hasProfile ? t('Open profile') : t('Take profile'),
      () => {
        this.handlers.profile(measurement.id);
      },
      'secondary',
    );
    const precision = button(t('Precision map'), () => void this.#showPrecision(measurement), 'secondary');
    return element('div', {
      className: 'point-heading',
      children: [
        element('strong', {text: measurementName(measurement)}),
        ...(isOfSweep && canProfile(measurement) ? [profile, precision] : []),
      ],
    });
  }

  async #showPrecision(measurement: Measurement): Promise<void> {
    this.#precision.replaceChildren(
      element('p', {className: 'muted', text: t('One step is run to see its data types.')}),
    );
    const selection = this.#selection;
    const rows = await this.handlers.precision(measurement.id);
    if (selection !== this.#selection) return;
    if (rows.length === 0) {
      this.#precision.replaceChildren();
      return;
    }
    const grid = new LayoutGrid(this.grids, () => undefined);
    grid.show(precisionTable(rows), null);
    this.#precision.replaceChildren(grid.element);
  }
}

function list(lines: readonly (readonly [string, string])[]): HTMLElement {
  return element('dl', {
    children: lines.map(([name, text]) =>
      element('div', {children: [element('dt', {text: name}), element('dd', {text})]}),
    ),
  });
}
