import type {Step} from '../scope/steps.js';

/** A column of the chart of steps: one step, or the mean of several consecutive ones. */
export interface StepColumn {
  readonly firstNumber: number;
  readonly lastNumber: number;
  readonly steps: number;
  /** The slice of the first. */
  readonly slice: number;
  readonly fromNs: number;
  readonly toNs: number;
  /** Mean duration. */
  readonly lengthNs: number;
  /** Mean ns of each part of the summary. */
  readonly ns: readonly number[];
}

/** More columns could not be told apart. */
const mostColumns = 120;

/**
 * Returns the columns of steps.
 *
 * @param nsOf for each step the ns of each part, by the part's index in `timeParts`
 * @param parts the displayed parts, by that index
 */
export function stepColumns(
  steps: readonly Step[],
  nsOf: readonly Float64Array[],
  parts: readonly number[],
): StepColumn[] {
  const perColumn = Math.max(1, Math.ceil(steps.length / mostColumns));
  return Array.from({length: Math.ceil(steps.length / perColumn)}, (_, column) => {
    const from = column * perColumn;
    const own = steps.slice(from, from + perColumn);
    const [first] = own;
    const last = own[own.length - 1];
    const mean = (valueOf: (step: number) => number) =>
      own.reduce((sum, _step, at) => sum + valueOf(from + at), 0) / own.length;
    return {
      ...{firstNumber: first.number, lastNumber: last.number, steps: own.length},
      ...{slice: first.slice, fromNs: first.startNs, toNs: last.endNs},
      lengthNs: mean(at => steps[at].endNs - steps[at].startNs),
      ns: parts.map(part => mean(at => nsOf[at][part])),
    };
  });
}
