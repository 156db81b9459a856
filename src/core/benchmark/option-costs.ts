import {differenceOf, type StepFigure} from '../compare/step-difference.js';
import {formatChange} from '../format/change.js';
import {isCount, isFields, type JsonFields} from '../read-json.js';
import {stepStatistics} from './step-statistics.js';

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

/** What one option costs, in percent of the mean step without the profiler. */
export interface OptionCost {
  readonly option: CostedOption;
  readonly percent: number;
  /** Half of the interval that holds the true cost with 95 % confidence; null where steps are too few to tell. */
  readonly noisePercent: number | null;
}

/** What each option costs that was measured. @see docs/metrics.md#option-costs */
export function optionCosts({plainNs, noneNs, options}: OptionSteps): OptionCost[] {
  const [plain, none] = [stepFigure(plainNs), stepFigure(noneNs)];
  if (!plain || !none || plain.meanNs <= 0) return [];
  return costedOptions.flatMap(option => {
    const own = stepFigure(options[option] ?? []);
    if (!own) return [];
    const difference = differenceOf(own, none);
    const percent = (100 * (own.meanNs - none.meanNs)) / plain.meanNs;
    const noisePercent = difference && (100 * difference.noiseFraction * none.meanNs) / plain.meanNs;
    return [{option, percent, noisePercent}];
  });
}

/** What an option costs, for people: `+31 % (±3) of a step`; less than the noise says nothing. */
export function optionCostText({percent, noisePercent}: OptionCost): string {
  if (noisePercent === null || Math.abs(percent) > noisePercent) {
    return `${formatChange(percent, noisePercent)} of a step`;
  }
  return `within noise (±${noisePercent.toFixed(noisePercent >= 9.95 ? 0 : 1)} % of a step)`;
}

/** The same of several: `shapes within noise (±1.0 % of a step), stacks +31 % (±3) of a step`; empty of none. */
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

function stepFigure(stepNs: readonly number[]): StepFigure | null {
  const statistics = stepStatistics(stepNs);
  return statistics && {meanNs: statistics.meanNs, deviationNs: statistics.stdNs ?? NaN, steps: stepNs.length};
}

function areDurations(value: unknown): value is number[] {
  return Array.isArray(value) && value.every(isCount);
}
