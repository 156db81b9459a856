import type {ReplayPlan} from './replay-plan.js';

/**
 * Which value of a prediction a change is applied for: the expected one, or the least or greatest time that may remain.
 */
export const bounds = ['likely', 'least', 'most'] as const;
export type Bound = (typeof bounds)[number];

/** The result of applying a change: what its prediction is based on, or why nothing can be predicted. */
export type ChangeEffect = {readonly basis: string} | {readonly unknown: string};

/** A hypothetical change. */
export interface Change {
  /** The change as requested: `faster=gemm:2`. */
  readonly text: string;
  alter(plan: ReplayPlan, bound: Bound): ChangeEffect;
}

/** A kind of change that can be requested in words. */
export interface ChangeKind {
  readonly word: string;
  /** Its syntax: `faster=NAME:FACTOR`. */
  readonly usage: string;
  /** What it changes, in one sentence. */
  readonly meaning: string;
  /** Returns the change, or a message about a wrong value. @param value the text after the `=`, '' for none */
  make(value: string): Change['alter'] | string;
}

/** Beyond this factor, recorded data cannot predict anything. */
const mostFactor = 1000;

/** Parses a number from `least` to 1000; returns a sentence if the value is not one. */
export function factorOf(value: string, least: 0 | 0.001 = 0): number | string {
  const factor = value.trim() === '' ? NaN : Number(value);
  return factor >= least && factor <= mostFactor
    ? factor
    : `needs a factor from ${String(least)} to ${String(mostFactor)}, not "${value}"`;
}

/** Returns the value for a bound. */
export function byBound<T>(bound: Bound, likely: T, least: T, most: T): T {
  return {likely, least, most}[bound];
}
