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

/** Beyond this nothing that was recorded says anything of what would be. */
const mostFactor = 1000;

/** A value that must be a number from `least` to 1000; a sentence where it is none. */
export function factorOf(value: string, least: 0 | 0.001 = 0): number | string {
  const factor = value.trim() === '' ? NaN : Number(value);
  return factor >= least && factor <= mostFactor
    ? factor
    : `needs a factor from ${String(least)} to ${String(mostFactor)}, not "${value}"`;
}

/** A value for each bound. */
export function byBound<T>(bound: Bound, likely: T, least: T, most: T): T {
  return {likely, least, most}[bound];
}
