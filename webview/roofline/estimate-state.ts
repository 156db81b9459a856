import type {EstimateInput} from '../../src/core/estimate/estimate.js';
import {estimateConfig} from '../../src/core/estimate/estimate-config.js';
import type {ModelShape} from '../../src/core/estimate/model-shape.js';
import {shapeOf} from '../../src/core/estimate/model-config.js';
import type {Parallelism} from '../../src/core/estimate/parallelism.js';
import type {Precision} from '../../src/core/estimate/precision.js';
import {systemPreset} from '../../src/core/estimate/system-presets.js';
import {calibratedSystem, type Calibration} from '../../src/core/roofline/calibrate.js';
import {EstimateError} from '../../src/core/estimate/estimate-error.js';
import {t} from '../shared/translate.js';

/** The properties of a model that the form has fields for. */
export const shapeFields = [
  ['batch', t('Batch')],
  ['length', t('Tokens')],
  ['embedding', t('Width')],
  ['hidden', t('MLP width')],
  ['heads', t('Heads')],
  ['keyValueHeads', t('KV heads')],
  ['depth', t('Layers')],
] as const satisfies readonly (readonly [keyof ModelShape, string])[];

/** The degrees of each parallelism. */
export const degreeFields = {
  '1D': ['tensor', 'sequence', 'expert'],
  '2D': ['rows', 'columns'],
  '2.5D': ['rows', 'columns', 'depth'],
  '3D': ['rows', 'columns', 'inner'],
} as const satisfies Record<Parallelism['kind'], readonly string[]>;

/** The contents of the form. */
export interface EstimateState {
  readonly modelId: string;
  /** The differences from the preset. */
  readonly changes: Partial<ModelShape>;
  readonly systemId: string;
  readonly precision: Precision;
  readonly kind: Parallelism['kind'];
  readonly degrees: Readonly<Record<string, number>>;
  /** Whether to use the system's figures that the profile measured, if there are any. */
  readonly isCalibrated: boolean;
}

export const firstState: EstimateState = {
  modelId: 'gpt3-175b',
  changes: {},
  systemId: 'a100-40gb',
  precision: 'fp16',
  kind: '1D',
  degrees: {tensor: 4, sequence: 4},
  isCalibrated: false,
};

/** Returns the model of the form. @throws EstimateError */
export function shapeOfState({modelId, changes}: EstimateState): ModelShape {
  return shapeOf({preset: modelId, ...changes});
}

/** Returns the input of the estimate. @throws EstimateError */
export function inputOfState(state: EstimateState, calibration: Calibration | null): EstimateInput {
  const preset = systemPreset(state.systemId);
  if (!preset) throw new EstimateError(t('Choose a system.'));
  const degree = (name: string) => state.degrees[name] ?? 1;
  return {
    shape: shapeOfState(state),
    system: state.isCalibrated && calibration ? calibratedSystem(preset.system, calibration) : preset.system,
    parallelism: parallelismOf(state.kind, degree),
    precision: state.precision,
    variant: 'corrected',
  };
}

function parallelismOf(kind: Parallelism['kind'], degree: (name: string) => number): Parallelism {
  const [rows, columns] = [degree('rows'), degree('columns')];
  switch (kind) {
    case '1D':
      return {kind, tensor: degree('tensor'), sequence: degree('sequence'), expert: degree('expert')};
    case '2D':
      return {kind, rows, columns, depth: 1};
    case '2.5D':
      return {kind, rows, columns, depth: degree('depth')};
    case '3D':
      return {kind, rows, columns, inner: degree('inner')};
  }
}

/** Returns the valid part of a stored state, which anybody may have written. */
export function storedState(stored: unknown): EstimateState {
  if (typeof stored !== 'object' || stored === null) return firstState;
  const {modelId, changes, systemId, precision, kind, degrees, isCalibrated} = stored as Record<string, unknown>;
  try {
    const config = estimateConfig({
      model: {preset: modelId, ...Object(changes)} as unknown,
      system: {preset: systemId},
      precision,
      parallelism: {kind, ...Object(degrees)} as unknown,
    });
    const {preset = firstState.modelId, ...shape} = config.model ?? {};
    const {kind: keptKind = firstState.kind, ...keptDegrees} = config.parallelism ?? {};
    return {
      modelId: preset,
      changes: shape,
      systemId: config.system?.preset ?? firstState.systemId,
      precision: config.precision ?? firstState.precision,
      kind: keptKind,
      degrees: keptDegrees,
      isCalibrated: isCalibrated === true,
    };
  } catch (error) {
    if (error instanceof EstimateError) return firstState;
    throw error;
  }
}
