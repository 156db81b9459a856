import {median} from '../base/median.js';
import {medianChange, type MedianChange} from '../compare/median-change.js';
import {medianChangeText} from '../text/median-change-text.js';
import {isCount, isFields, type JsonFields} from '../base/read-json.js';

/** Options of the PyTorch profiler that cost a step something, and how people call them. */
export const costedOptions = ['shapes', 'stacks', 'memory'] as const;
export type CostedOption = (typeof costedOptions)[number];

/** What steps of one script took, each by itself, in ns. */
export interface OptionSteps {
  /** Without the profiler. */
  readonly plainNs: readonly number[];
  /** Under it, with none of the options. */
  readonly noneNs: readonly number[];
  /** Under it, with one of them; of those that were measured. */
  readonly options: Readonly<Partial<Record<CostedOption, readonly number[]>>>;
}

/** What one option costs, in percent of the median step without the profiler. */
export interface OptionCost extends MedianChange {
  readonly option: CostedOption;
}

/** What each option costs that was measured. @see docs/metrics.md#option-costs */
export function optionCosts({plainNs, noneNs, options}: OptionSteps): OptionCost[] {
  const plain = median(plainNs);
  if (!(plain > 0)) return [];
  const ofPlain = median(noneNs) / plain;
  return costedOptions.flatMap(option => {
    const change = medianChange(options[option] ?? [], noneNs);
    if (!change) return [];
    const {percent, interval} = change;
    return [
      {
        option,
        percent: percent * ofPlain,
        interval: interval && {
          lowPercent: interval.lowPercent * ofPlain,
          highPercent: interval.highPercent * ofPlain,
        },
      },
    ];
  });
}

/** What an option costs, for people: `+31 % (±3) of a step`; noise says nothing. */
export function optionCostText(cost: OptionCost): string {
  return medianChangeText(cost, ' of a step');
}

/** The same of several: `shapes not measurable (±1.0 % of a step), stacks +31 % (±3) of a step`; empty of none. */
export function optionCostsText(costs: readonly OptionCost[]): string {
  return costs.map(cost => `${cost.option} ${optionCostText(cost)}`).join(', ');
}

/** The steps in fields that anybody may have written; null where they are none. */
export function parseOptionSteps({plainNs, noneNs, options}: JsonFields): OptionSteps | null {
  if (!areDurations(plainNs) || !areDurations(noneNs) || !isFields(options)) return null;
  const measured: Partial<Record<CostedOption, readonly number[]>> = {};
  for (const option of costedOptions) {
    const steps = options[option];
    if (areDurations(steps) && steps.length > 0) measured[option] = steps;
  }
  return {plainNs, noneNs, options: measured};
}

function areDurations(value: unknown): value is number[] {
  return Array.isArray(value) && value.every(isCount);
}
