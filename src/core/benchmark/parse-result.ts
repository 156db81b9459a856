import {modelSizes, type ModelSize} from './model-sizes.js';
import {pointErrors, stepPhases, type EnvironmentValues, type PointMemory, type PointResult} from './point-result.js';
import {durations, isFields, numberOrNull, textOrNull, type JsonFields} from '../base/read-json.js';
import {passes, precisions} from './sweep-config.js';
import type {SweepPoint} from './sweep-points.js';

/** Parses the result in a JSON value; null if it is not one. The file is untrusted. */
export function parsePointResult(value: unknown): PointResult | null {
  if (!isFields(value)) return null;
  const point = parseSweepPoint(value['point']);
  const warmupNs = durations(value['warmupNs']);
  const stepNs = durations(value['stepNs']);
  const error = value['error'] === null ? null : pointErrors.find(known => known === value['error']);
  if (!point || !warmupNs || !stepNs || error === undefined) return null;
  return {
    point,
    warmupNs,
    stepNs,
    phaseNs: parsePhases(value['phaseNs']),
    error,
    message: textOrNull(value['message']),
    device: textOrNull(value['device']),
    parameters: numberOrNull(value['parameters']),
    parametersWithoutEmbedding: numberOrNull(value['parametersWithoutEmbedding']),
    samples: numberOrNull(value['samples']),
    tokens: numberOrNull(value['tokens']),
    memory: parseMemory(value['memory']),
    sleptNs: numberOrNull(value['sleptNs']) ?? 0,
    environment: parseEnvironment(value['environment']),
    startedAt: textOrNull(value['startedAt']) ?? '',
    endedAt: textOrNull(value['endedAt']) ?? '',
  };
}

/** Parses the values of an environment; omits anything that is neither a value nor an object of values. */
export function parseEnvironment(value: unknown, isInner = false): EnvironmentValues {
  if (!isFields(value)) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]): [string, EnvironmentValues[string]][] => {
      if (one === null || typeof one === 'boolean' || typeof one === 'string') return [[name, one]];
      if (typeof one === 'number' && Number.isFinite(one)) return [[name, one]];
      return isFields(one) && !isInner ? [[name, parseEnvironment(one, true)]] : [];
    }),
  );
}

export function parseMemory(value: unknown): PointMemory | null {
  if (!isFields(value)) return null;
  const peakBytes = numberOrNull(value['peakBytes']);
  const {counts} = value;
  if (peakBytes === null || (counts !== 'allocated' && counts !== 'resident')) return null;
  return {peakBytes, reservedBytes: numberOrNull(value['reservedBytes']), counts};
}

function parsePhases(value: unknown): PointResult['phaseNs'] {
  if (!isFields(value)) return {};
  return Object.fromEntries(
    stepPhases.flatMap(phase => {
      const ns = durations(value[phase]);
      return ns ? [[phase, ns]] : [];
    }),
  );
}

const targets = ['reference', 'callable', 'command'] as const;

function parseSweepPoint(value: unknown): SweepPoint | null {
  if (!isFields(value)) return null;
  const target = targets.find(known => known === value['target']);
  const label = textOrNull(value['label']);
  if (!target || label === null) return null;
  const {command, environment, compile} = value;
  return {
    target,
    variant: textOrNull(value['variant']),
    label,
    function: textOrNull(value['function']),
    command: Array.isArray(command) ? command.filter(one => typeof one === 'string') : [],
    environment: isFields(environment) ? texts(environment) : {},
    size: parseSize(value['size']),
    contextLength: numberOrNull(value['contextLength']),
    batch: numberOrNull(value['batch']),
    pass: passes.find(known => known === value['pass']) ?? null,
    precision: precisions.find(known => known === value['precision']) ?? null,
    device: textOrNull(value['device']),
    compile: typeof compile === 'boolean' ? compile : null,
  };
}

function texts(fields: JsonFields): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

function parseSize(value: unknown): ModelSize | null {
  if (!isFields(value)) return null;
  const name = textOrNull(value['name']);
  const numbers = (['dModel', 'dFf', 'layers', 'heads'] as const).map(key => numberOrNull(value[key]));
  if (name === null || numbers.includes(null)) return modelSizes.find(size => size.name === name) ?? null;
  const [dModel, dFf, layers, heads] = numbers as number[];
  return {name, dModel, dFf, layers, heads};
}
