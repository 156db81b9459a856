import type {Measurement} from '../../src/core/benchmark/measurement.js';
import {element} from '../shared/dom.js';
import {button} from '../shared/ui.js';
import {figuresOf, nameOf, type Strip} from './measurement-text.js';
import {stripsElement} from './strips.js';

export interface DetailsHandlers {
  profile(id: number): void;
  /** What the point was measured in. */
  environment(id: number): Promise<readonly (readonly [string, string])[]>;
}

/** Everything about one measurement, with its steps. */
export class Details {
  readonly element = element('section', {className: 'point', attributes: {'aria-label': 'Selected point'}});
  #shown: Measurement | null = null;

  constructor(private readonly handlers: DetailsHandlers) {}

  /** @param isOfSweep whether it can be profiled @param strips what is drawn of its steps */
  show(measurement: Measurement | null, isOfSweep: boolean, hasProfile: boolean, strips: readonly Strip[]): void {
    this.#shown = measurement;
    this.element.hidden = measurement === null && strips.length === 0;
    const heading = measurement === null ? [] : [this.#heading(measurement, isOfSweep, hasProfile)];
    const figures = measurement === null ? [] : [list(figuresOf(measurement))];
    const environment = element('div', {attributes: {'data-testid': 'environment'}});
    this.element.replaceChildren(...heading, ...figures, stripsElement(strips), environment);
    if (measurement === null || !isOfSweep) return;
    void this.handlers.environment(measurement.id).then(lines => {
      if (this.#shown === measurement) environment.replaceChildren(list(lines));
    });
  }

  #heading(measurement: Measurement, isOfSweep: boolean, hasProfile: boolean): HTMLElement {
    const canProfile = isOfSweep && measurement.pass !== '';
    const profile = button(
      hasProfile ? 'Open profile' : 'Take profile',
      () => {
        this.handlers.profile(measurement.id);
      },
      'secondary',
    );
    return element('div', {
      className: 'point-heading',
      children: [element('strong', {text: nameOf(measurement)}), ...(canProfile ? [profile] : [])],
    });
  }
}

function list(lines: readonly (readonly [string, string])[]): HTMLElement {
  return element('dl', {
    children: lines.map(([name, text]) =>
      element('div', {children: [element('dt', {text: name}), element('dd', {text})]}),
    ),
  });
}
