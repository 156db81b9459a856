import {workKinds, type WorkKind} from '../gpu-work/work-groups.js';

/** The subject of a budget: all GPU work, a range with everything inside it, or rows of a kind. */
export interface BudgetTarget {
  readonly kind: WorkKind | 'total';
  /** A name; for ranges and rows, `*` matches any characters. Empty for the total. */
  readonly name: string;
}

/** The limit of a budget: an amount of work in the changed run, or an increase over the base. */
type BudgetLimit =
  | {readonly type: 'work'; readonly mostNs: number; readonly per: 'step' | 'call' | 'all'}
  | {readonly type: 'slower'; readonly mostPercent: number};

export interface Budget {
  readonly target: BudgetTarget;
  readonly limit: BudgetLimit;
}

const nsOfUnit: Readonly<Record<string, number>> = {ns: 1, us: 1e3, µs: 1e3, μs: 1e3, ms: 1e6, s: 1e9};

/**
 * Returns the budget that a text states, or null if it is not a budget.
 *
 *     attention <= 12 ms/step
 *     kernel:flash_fwd* <= 4.1 ms/call
 *     total no slower than main by 5 %
 *
 * @param ofLine the name to use if the text names none
 */
export function parseBudget(text: string, ofLine: string | null = null): Budget | null {
  const target = (name = '') => targetOf(name.trim() === '' ? (ofLine ?? 'total') : name.trim());
  const work = /^(.*?)(?:<=|≤)\s*(\d+(?:\.\d+)?)\s*(ns|us|µs|μs|ms|s)(?:\s*\/\s*(step|call))?$/.exec(text.trim());
  if (work) {
    const [, name, number, unit = '', per] = work;
    const mostNs = Number(number) * nsOfUnit[unit];
    return {target: target(name), limit: {type: 'work', mostNs, per: per === 'step' || per === 'call' ? per : 'all'}};
  }
  const slower = /^(.*?)no slower(?: than \S+)? by (\d+(?:\.\d+)?)\s*%$/.exec(text.trim());
  if (!slower) return null;
  return {target: target(slower[1]), limit: {type: 'slower', mostPercent: Number(slower[2])}};
}

/** Returns whether a comment is intended as a budget, even if it cannot be parsed. */
export function looksLikeBudget(text: string): boolean {
  return /<=|≤|no slower/.test(text);
}

function targetOf(text: string): BudgetTarget {
  if (text === 'total') return {kind: 'total', name: ''};
  const colon = text.indexOf(':');
  const kind = workKinds.find(one => one === text.slice(0, colon));
  return kind === undefined ? {kind: 'range', name: text} : {kind, name: text.slice(colon + 1).trim()};
}
