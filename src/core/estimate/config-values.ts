import {EstimateError} from './estimate-error.js';

type Values = Readonly<Record<string, unknown>>;

/** An object of a configuration whose keys are known; anything else is refused, so that a slip is not passed over. @throws EstimateError */
export function objectOf(value: unknown, place: string, keys: readonly string[]): Values {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new EstimateError(`${place} must be an object.`);
  for (const key of Object.keys(value)) {
    if (!keys.includes(key)) throw new EstimateError(`${place} has no "${key}": its keys are ${keys.join(', ')}.`);
  }
  return value as Values;
}

/** A number, undefined where it is absent. @throws EstimateError */
export function numberOf(values: Values, key: string, place: string): number | undefined {
  const value = values[key];
  if (value === undefined) return undefined;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new EstimateError(`${place}’s ${key} must be a number.`);
}

/** True or false, undefined where it is absent. @throws EstimateError */
export function flagOf(values: Values, key: string, place: string): boolean | undefined {
  const value = values[key];
  if (value === undefined || typeof value === 'boolean') return value;
  throw new EstimateError(`${place}’s ${key} must be true or false.`);
}

/** One of a few words, undefined where it is absent. @throws EstimateError */
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

/** The entries of an object that are there. */
export function present<T extends object>(values: {readonly [K in keyof T]: T[K] | undefined}): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
}
