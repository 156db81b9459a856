import {EstimateError} from '../../src/core/estimate/estimate-error.js';
import {parallelismKinds} from '../../src/core/estimate/estimate-config.js';
import {modelPresets} from '../../src/core/estimate/model-presets.js';
import type {ModelShape} from '../../src/core/estimate/model-shape.js';
import {precisions} from '../../src/core/estimate/precision.js';
import {systemPresets} from '../../src/core/estimate/system-presets.js';
import {element} from '../shared/dom.js';
import {CheckBox, NumberField, Select} from './controls.js';
import {degreeFields, shapeFields, shapeOfState, type EstimateState} from './estimate-state.js';
import {t} from '../shared/translate.js';

const named = (ids: readonly string[]) => ids.map(id => ({value: id, text: id}));

/** The fields that define the estimate. */
export class EstimateForm {
  readonly element = element('div', {className: 'form'});
  readonly #model = new Select(t('Model'), named(modelPresets.map(({id}) => id)), () => {
    // Another model has its own defaults.
    this.#set({modelId: this.#model.value, changes: {}});
  });
  readonly #fields: readonly (readonly [keyof ModelShape, NumberField])[];
  readonly #causal = new CheckBox(t('Causal'), () => {
    this.#change('isCausal', this.#causal.isOn);
  });
  readonly #flash = new CheckBox(t('Flash attention'), () => {
    this.#change('attention', this.#flash.isOn ? 'flash' : 'plain');
  });
  readonly #system = new Select(t('System'), named(systemPresets.map(({id}) => id)), () => {
    this.#set({systemId: this.#system.value});
  });
  readonly #calibrated = new CheckBox(t('As this profile measured'), () => {
    this.#set({isCalibrated: this.#calibrated.isOn});
  });
  readonly #precision = new Select(t('Precision'), named(precisions), () => {
    const precision = precisions.find(candidate => candidate === this.#precision.value);
    if (precision) this.#set({precision});
  });
  readonly #kind = new Select(t('Parallelism'), named(parallelismKinds), () => {
    const kind = parallelismKinds.find(candidate => candidate === this.#kind.value);
    if (kind) this.#set({kind, degrees: {}});
  });
  readonly #degrees = element('span', {className: 'form'});

  constructor(
    private state: EstimateState,
    private readonly onChange: (state: EstimateState) => void,
  ) {
    this.#fields = shapeFields.map(([key, label]) => {
      const field = new NumberField(label, () => {
        this.#change(key, field.value);
      });
      return [key, field];
    });
    const parts = [this.#model, ...this.#fields.map(([, field]) => field), this.#causal, this.#flash];
    const rest = [this.#system, this.#calibrated, this.#precision, this.#kind];
    this.element.append(...[...parts, ...rest].map(control => control.element), this.#degrees);
    this.#calibrated.element.hidden = true;
    this.#fill();
  }

  /** Offers the measured figures of the system, if the open profile has any. */
  offerCalibration(isOffered: boolean): void {
    this.#calibrated.element.hidden = !isOffered;
  }

  #change<K extends keyof ModelShape>(key: K, value: ModelShape[K]): void {
    this.#set({changes: {...this.state.changes, [key]: value}});
  }

  #set(changes: Partial<EstimateState>): void {
    this.state = {...this.state, ...changes};
    this.#fill();
    this.onChange(this.state);
  }

  /** Shows the state; a field that is being edited keeps its text. */
  #fill(): void {
    const {modelId, systemId, precision, kind, isCalibrated} = this.state;
    [this.#model.value, this.#system.value, this.#precision.value, this.#kind.value] = [
      modelId,
      systemId,
      precision,
      kind,
    ];
    this.#calibrated.isOn = isCalibrated;
    this.#fillShape();
    this.#fillDegrees();
  }

  #fillShape(): void {
    let shape: ModelShape;
    try {
      shape = shapeOfState(this.state);
    } catch (error) {
      if (error instanceof EstimateError) return;
      throw error;
    }
    for (const [key, field] of this.#fields) {
      if (!field.element.contains(document.activeElement)) field.value = Number(shape[key]);
    }
    this.#causal.isOn = shape.isCausal;
    this.#flash.isOn = shape.attention === 'flash';
  }

  #fillDegrees(): void {
    if (this.#degrees.dataset['kind'] === this.state.kind) return;
    this.#degrees.dataset['kind'] = this.state.kind;
    const fields = degreeFields[this.state.kind].map(name => {
      const field = new NumberField(name, () => {
        this.#set({degrees: {...this.state.degrees, [name]: field.value}});
      });
      field.value = this.state.degrees[name] ?? 1;
      return field.element;
    });
    this.#degrees.replaceChildren(...fields);
  }
}
