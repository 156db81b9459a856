import {EstimateError} from './estimate-error.js';

type Values = Readonly<Record<string, unknown>>;

/** Reads an object of a configuration. Unknown keys are errors, so that typos are not ignored. @throws EstimateError */
export function objectOf(value: unknown, place: string, keys: readonly string[]): Values {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new EstimateError(`${place} must be an object.`);
  for (const key of Object.keys(value)) {
    if (!keys.includes(key)) throw new EstimateError(`${place} has no "${key}": its keys are ${keys.join(', ')}.`);
  }
  return value as Values;
}

/** Reads a number; undefined if absent. @throws EstimateError */
export function numberOf(values: Values, key: string, place: string): number | undefined {
  const value = values[key];
  if (value === undefined) return undefined;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new EstimateError(`${place}’s ${key} must be a number.`);
}

/** Reads a boolean; undefined if absent. @throws EstimateError */
export function flagOf(values: Values, key: string, place: string): boolean | undefined {
  const value = values[key];
  if (value === undefined || typeof value === 'boolean') return value;
  throw new EstimateError(`${place}’s ${key} must be true or false.`);
}

/** Reads one of a few words; undefined if absent. @throws EstimateError */
export function wordOf<Word extends string>(
  values: Values,
  key: string,
  place: string,
  words: readonly Word[],
): Word | undefined {
  const value = values[key];
  if (value === undefined) return undefined;
  const word = words.find(candidate => candidate === value);
  if (word === undefined) throw new EstimateError(`${place}’s ${key} must be one of ${words.join(', ')}.`);
  return word;
}

/** Returns the entries of an object that are not undefined. */
export function present<T extends object>(values: {readonly [K in keyof T]: T[K] | undefined}): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
}
