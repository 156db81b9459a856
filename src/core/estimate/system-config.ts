import {numberOf, objectOf, present, wordOf} from './config-values.js';
import {EstimateError} from './estimate-error.js';
import {collectives} from './layer-cost.js';
import {precisions, type Precision} from './precision.js';
import {systemPreset, systemPresets} from './system-presets.js';
import type {MeasuredBandwidth, System} from './system.js';

/** The system in a configuration: a preset, and figures that override its own. */
export type SystemConfig = Partial<System> & {readonly preset?: string};

type Peaks = System['matrixFlopsPerSecond'];

const place = 'The system';

/** Key of a configuration → the figure, and the factor of the configuration's unit. */
const figures = {
  hbmGBps: ['hbmBytesPerSecond', 1e9],
  nvlinkGBps: ['nvlinkBytesPerSecond', 1e9],
  infinibandGBps: ['infinibandBytesPerSecond', 1e9],
  nvlinkDomainSize: ['nvlinkDomainSize', 1],
} as const;

/** @throws EstimateError */
export function systemConfig(value: unknown): SystemConfig {
  if (typeof value === 'string') return {preset: value};
  const keys = ['preset', 'matrixTflops', 'vectorTflops', ...Object.keys(figures), 'measured'];
  const values = objectOf(value, place, keys);
  return present<SystemConfig>({
    preset: wordOf(
      values,
      'preset',
      place,
      systemPresets.map(({id}) => id),
    ),
    matrixFlopsPerSecond: peaks(values['matrixTflops'], 'matrixTflops'),
    vectorFlopsPerSecond: peaks(values['vectorTflops'], 'vectorTflops'),
    ...Object.fromEntries(
      Object.entries(figures).map(([key, [name, factor]]) => {
        const figure = numberOf(values, key, place);
        return [name, figure === undefined ? undefined : figure * factor];
      }),
    ),
    measured: measuredOf(values['measured']),
  });
}

/** Returns a system in the form of a configuration, which `systemConfig` can read. */
export function systemAsConfig(system: System): Readonly<Record<string, unknown>> {
  const tflops = (of: Peaks) => Object.fromEntries(Object.entries(of).map(([key, value]) => [key, value / 1e12]));
  return {
    matrixTflops: tflops(system.matrixFlopsPerSecond),
    vectorTflops: tflops(system.vectorFlopsPerSecond),
    ...Object.fromEntries(Object.entries(figures).map(([key, [name, factor]]) => [key, system[name] / factor])),
    ...(system.measured && {
      measured: system.measured.map(({bytesPerSecond, ...rest}) => ({...rest, GBps: bytesPerSecond / 1e9})),
    }),
  };
}

/** Returns the system for a configuration. @throws EstimateError */
export function systemOf({preset: id, ...given}: SystemConfig): System {
  const preset = id === undefined ? null : systemPreset(id);
  if (id !== undefined && !preset)
    throw new EstimateError(
      `There is no system "${id}": there are ${systemPresets.map(known => known.id).join(', ')}.`,
    );
  const base: Partial<System> = preset?.system ?? {};
  const system: Partial<System> = {
    ...base,
    ...given,
    matrixFlopsPerSecond: {...base.matrixFlopsPerSecond, ...given.matrixFlopsPerSecond},
    vectorFlopsPerSecond: {...base.vectorFlopsPerSecond, ...given.vectorFlopsPerSecond},
  };
  const missing = Object.entries(figures).find(([, [name]]) => system[name] === undefined);
  if (missing) throw new EstimateError(`A system needs a preset, or all of its figures: ${missing[0]} is not there.`);
  return system as System;
}

function peaks(value: unknown, key: string): Peaks | undefined {
  if (value === undefined) return undefined;
  const values = objectOf(value, `${place}’s ${key}`, precisions);
  const entries = precisions.map(precision => [precision, numberOf(values, precision, `${place}’s ${key}`)] as const);
  return present<Record<Precision, number>>(
    Object.fromEntries(
      entries.map(([precision, tera]) => [precision, tera === undefined ? undefined : tera * 1e12]),
    ) as Record<Precision, number | undefined>,
  );
}

function measuredOf(value: unknown): readonly MeasuredBandwidth[] | undefined {
  if (value === undefined) return undefined;
  const list = `${place}’s measured`;
  if (!Array.isArray(value)) throw new EstimateError(`${list} must be a list.`);
  return value.map((entry: unknown) => {
    const values = objectOf(entry, `Each of ${list.toLowerCase()}`, ['collective', 'groupSize', 'bytes', 'GBps']);
    const collective = wordOf(values, 'collective', list, collectives);
    const groupSize = numberOf(values, 'groupSize', list);
    const gigabytesPerSecond = numberOf(values, 'GBps', list);
    if (collective === undefined || groupSize === undefined || gigabytesPerSecond === undefined)
      throw new EstimateError(`Each of ${list.toLowerCase()} needs collective, groupSize and GBps.`);
    const bytes = values['bytes'] === null ? null : (numberOf(values, 'bytes', list) ?? null);
    return {collective, groupSize, bytes, bytesPerSecond: gigabytesPerSecond * 1e9};
  });
}
