import {median} from '../base/median.js';
import {medianChange, type MedianChange} from '../compare/median-change.js';
import {medianChangeText} from '../text/median-change-text.js';
import {isCount, isFields, type JsonFields} from '../base/read-json.js';

/** Options of the PyTorch profiler that slow down steps, with their usual names. */
export const costedOptions = ['shapes', 'stacks', 'memory'] as const;
export type CostedOption = (typeof costedOptions)[number];

/** Step times of one script with different options, in ns. */
export interface OptionSteps {
  /** Without the profiler. */
  readonly plainNs: readonly number[];
  /** With the profiler, without any of the options. */
  readonly noneNs: readonly number[];
  /** With the profiler and one of the options, for those that were measured. */
  readonly options: Readonly<Partial<Record<CostedOption, readonly number[]>>>;
}

/** The cost of one option, in percent of the median step without the profiler. */
export interface OptionCost extends MedianChange {
  readonly option: CostedOption;
}

/** Returns the cost of each measured option. @see docs/metrics.md#option-costs */
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

/** Returns the text for an option's cost: `+31 % (±3) of a step`; for a cost within the noise, "not measurable". */
export function optionCostText(cost: OptionCost): string {
  return medianChangeText(cost, ' of a step');
}

/**
 * Returns the text for several: `shapes not measurable (±1.0 % of a step), stacks +31 % (±3) of a step`; empty for
 * none.
 */
export function optionCostsText(costs: readonly OptionCost[]): string {
  return costs.map(cost => `${cost.option} ${optionCostText(cost)}`).join(', ');
}

/** Parses the steps in fields from an untrusted source; null if they are invalid. */
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
