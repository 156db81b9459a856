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

/** What options cost, for people: `shapes +2.1 % (±1.0), stacks +31 % (±3)`; empty where nothing was measured. */
export function optionCostsText(costs: readonly OptionCost[]): string {
  return costs.map(({option, percent, noisePercent}) => `${option} ${formatChange(percent, noisePercent)}`).join(', ');
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
