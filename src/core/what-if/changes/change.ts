import type {ReplayPlan} from './replay-plan.js';

/** Which end of its interval a change is made for: what is expected, or the least or most time that it may leave. */
export const bounds = ['likely', 'least', 'most'] as const;
export type Bound = (typeof bounds)[number];

/** What a change came to: what its prediction rests on, or why nothing can be predicted. */
export type ChangeEffect = {readonly basis: string} | {readonly unknown: string};

/** Something that could be different. */
export interface Change {
  /** As it was asked for: `faster=gemm:2`. */
  readonly text: string;
  alter(plan: ReplayPlan, bound: Bound): ChangeEffect;
}

/** A change that some words ask for. */
export interface ChangeKind {
  readonly word: string;
  /** How it is written: `faster=NAME:FACTOR`. */
  readonly usage: string;
  /** What it makes different, in one sentence. */
  readonly meaning: string;
  /** Returns the change, or what is wrong with its value, in words. @param value what stands behind the `=`, '' for none */
  make(value: string): Change['alter'] | string;
}

/** A value that must be a number from 0; a sentence where it is none. */
export function factorOf(value: string): number | string {
  const factor = /^inf(inity)?$/i.test(value) ? Infinity : value === '' ? NaN : Number(value);
  return Number.isNaN(factor) || factor < 0 ? `needs a factor from 0, not "${value}"` : factor;
}

/** A value for each bound. */
export function byBound<T>(bound: Bound, likely: T, least: T, most: T): T {
  return {likely, least, most}[bound];
}
