import {mean} from '../base/mean.js';
import {insideNs} from '../attribution/chosen.js';
import {TraceError} from '../base/errors.js';
import {say, template} from '../base/say.js';
import {formatDuration} from '../format/duration.js';
import {partOfRange, rangesNamed} from '../scope/selection.js';
import {matchesName} from '../names/name-pattern.js';
import {parseBudget, type Budget, type BudgetTarget} from './budget-text.js';
import type {Comparability} from './comparability.js';
import type {WorkPart} from '../gpu-work/work-part.js';
import type {RunComparison} from './run-comparison.js';
import {noiseOfDifference} from './resampled-noise.js';
import {runDeviation, type RunNoise} from './run-noise.js';
import {fewestSamples} from './row-verdicts.js';
import {askWork} from '../gpu-work/ask-work.js';
import {sumWork, type WorkSum, type WorkEntry} from '../gpu-work/work-entry.js';

/** A budget as written by the user. */
export interface WrittenBudget {
  readonly text: string;
  /** Where it is written: a file, and for a comment the line. */
  readonly place: string;
  /** The range that the comment's line opens; used if the budget names none. */
  readonly ofLine?: string;
}

/** The result of a budget. */
export interface BudgetResult {
  readonly budget: string;
  readonly place: string;
  readonly verdict: 'holds' | 'broken' | 'cannot tell';
  /** The figures, or the reason why the budget cannot be checked. */
  readonly text: string;
}

/**
 * Checks budgets against two runs. A budget holds only if that is proven. The verdict is "cannot tell" if a budget
 * cannot be parsed, if nothing in the profiles has its name, or if the runs are not comparable.
 *
 * @see docs/metrics.md#budgets
 */
export function checkBudgets(
  budgets: readonly WrittenBudget[],
  comparable: Comparability,
  before: WorkPart,
  after: WorkPart,
  noise: RunNoise = noRunNoise,
): BudgetResult[] {
  return budgets.map(({text, place, ofLine}) => ({
    ...{budget: text, place},
    ...resultOf(parseBudget(text, ofLine), comparable, [before, after], noise),
  }));
}

/** Returns the result of `--check` without budgets: the total must not be "slower". */
export function checkTotal({comparable, total}: Pick<RunComparison, 'comparable' | 'total'>): BudgetResult {
  const verdict = total.verdict === 'slower' ? 'broken' : total.verdict === 'cannot tell' ? 'cannot tell' : 'holds';
  const reasons = comparable.verdict === 'no' ? comparable.reasons.map(({text}) => ` ${text}`).join('') : '';
  const text = `The verdict of the total is "${total.verdict}".${reasons}`;
  return {budget: 'the total is not slower', place: 'no budgets are written', verdict, text};
}

const noRunNoise: RunNoise = {from: 'steps', perStepDeviation: 0};

type Result = Pick<BudgetResult, 'verdict' | 'text'>;

function resultOf(
  budget: Budget | null,
  comparable: Comparability,
  [before, after]: readonly [WorkPart, WorkPart],
  noise: RunNoise,
): Result {
  if (budget === null) return cannotTell(say('This budget is not understood.'));
  if (comparable.verdict === 'no') {
    return cannotTell([say('The runs are not comparable.'), ...comparable.reasons.map(({text}) => text)].join(' '));
  }
  try {
    return budget.limit.type === 'work'
      ? checkWork(budget.target, budget.limit, after)
      : checkSlower(budget, before, after, noise);
  } catch (error) {
    if (error instanceof TraceError && error.code === 'selection/no-match') return cannotTell(error.message);
    throw error;
  }
}

function cannotTell(text: string): Result {
  return {verdict: 'cannot tell', text};
}

/** Measured work and its limit: templates. */
const workTexts = {
  step: template('{0} a step; the budget is {1} a step.'),
  call: template('{0} a call; the budget is {1} a call.'),
  all: template('{0}; the budget is {1}.'),
} as const;

/** Nothing has the name of a budget: templates. */
const noneTexts = {
  module: template('No module of this profile is "{0}".'),
  op: template('No operator of this profile is "{0}".'),
  class: template('No kernel class of this profile is "{0}".'),
  kernel: template('No kernel of this profile is "{0}".'),
} as const;

type WorkLimit = Extract<Budget['limit'], {type: 'work'}>;

/**
 * Checks a limit of work. With few steps, the mean is unreliable, so all steps must be on the same side of the limit.
 */
function checkWork(target: BudgetTarget, {mostNs, per}: WorkLimit, part: WorkPart): Result {
  const work = measure(target, part);
  if (per === 'step' && part.steps === 0) return cannotTell(say('The profiles do not both have steps.'));
  if (per === 'call' && work.count === 0) return cannotTell(say('There are no calls.'));
  const by = per === 'step' ? part.steps : per === 'call' ? work.count : 1;
  const ns = work.gpuWorkNs / by;
  const verdict = ns <= mostNs ? 'holds' : 'broken';
  const text = say(workTexts[per], formatDuration(ns), formatDuration(mostNs));
  if (per === 'step' && work.samplesNs.length < fewestSamples && isMixed(work.samplesNs, mostNs)) {
    return cannotTell(`${text} ${say('Some steps exceed it: record {0} or more.', fewestSamples)}`);
  }
  return {verdict, text};
}

function isMixed(samplesNs: Float64Array, mostNs: number): boolean {
  return samplesNs.some(ns => ns <= mostNs) && samplesNs.some(ns => ns > mostNs);
}

function checkSlower({target, limit}: Budget, before: WorkPart, after: WorkPart, noise: RunNoise): Result {
  const mostPercent = limit.type === 'slower' ? limit.mostPercent : 0;
  const needsSteps = target.kind === 'total' || target.kind === 'range';
  if (needsSteps && before.steps === 0) return cannotTell(say('The profiles do not both have steps.'));
  const [base, changed] = [measure(target, before).samplesNs, measure(target, after).samplesNs];
  if (Math.min(base.length, changed.length) < fewestSamples) {
    return cannotTell(
      say(
        before.steps > 0
          ? 'There are fewer than {0} steps in a profile.'
          : 'There are fewer than {0} calls in a profile.',
        fewestSamples,
      ),
    );
  }
  const [was, is] = [base, changed].map(mean);
  if (was === 0) return cannotTell(say('The base has no GPU work there.'));
  const ofRuns = runDeviation(noise, {before: base, after: changed}, null);
  const noisePercent = (100 * noiseOfDifference(base, changed, ofRuns, noise.from === 'runs')) / was;
  const percent = (100 * (is - was)) / was;
  const text = say(
    '{0} % slower ± {1} %; the budget is {2} %.',
    percent.toFixed(1),
    noisePercent.toFixed(1),
    mostPercent,
  );
  if (percent + noisePercent <= mostPercent) return {verdict: 'holds', text};
  if (percent - noisePercent > mostPercent) return {verdict: 'broken', text};
  return cannotTell(`${text} ${say('The noise is too large: record more steps.')}`);
}

/** @throws TraceError `selection/no-match` if nothing has the name */
function measure({kind, name}: BudgetTarget, part: WorkPart): WorkSum {
  if (kind === 'range') return rangeMeasure(part, name);
  if (kind === 'total') return askWork(part, 'class').total;
  const rows = askWork(part, kind).rows.filter(namedLike(name));
  if (rows.length === 0) throw new TraceError('selection/no-match', say(noneTexts[kind], name));
  return sumWork(rows, part.steps);
}

function namedLike(name: string): (entry: WorkEntry) => boolean {
  const pattern = name.split('*');
  return entry => matchesName(pattern, entry.path) || matchesName(pattern, entry.name);
}

/** Returns all GPU work of a range, forward and backward, including its children. A call is an instance. */
function rangeMeasure(part: WorkPart, name: string): WorkSum {
  const {trace, attribution, chosen, steps, stepOf, isSliceIn} = part;
  const {slices, gpuOperations} = trace;
  const ofRange = partOfRange(trace, attribution, name);
  const {siteOf} = attribution.sites;
  const ns = new Float64Array(Math.max(1, steps));
  for (let operation = 0; operation < gpuOperations.length; operation++) {
    const site = siteOf[operation];
    const step = stepOf[operation];
    if (step < 0 || site < 0 || ofRange[site] === 0) continue;
    const slice = gpuOperations.slice[operation];
    ns[step] += insideNs(slices.startNs[slice], slices.durationNs[slice], chosen);
  }
  const instances = rangesNamed(trace, attribution, name).filter(range => isSliceIn(attribution.ranges.slice[range]));
  return {gpuWorkNs: ns.reduce((sum, one) => sum + one, 0), count: instances.length, samplesNs: ns};
}
