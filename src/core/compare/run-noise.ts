import {median} from '../base/median.js';
import {greatest} from '../table/extremes.js';
import {momentsOf} from './moments.js';

/** Means of one row in several runs of the same code on each side, including the compared run; ns. */
export interface RunMeans {
  readonly before: readonly number[];
  readonly after: readonly number[];
}

/** The difference between runs of the same code, beyond what their steps explain. */
export type RunNoise =
  /** Only steps are known. If all rows shifted by more than their steps explain, that is noise between the runs. */
  | {readonly from: 'steps'; readonly perStepDeviation: number}
  /** Other runs of the same code were measured. */
  | {readonly from: 'runs'; readonly typicalVariance: number};

/** The standard deviation of a row's difference due to noise between runs, with its degrees of freedom. */
export interface RunDeviation {
  readonly deviationNs: number;
  readonly freedom: number;
}

/** Fewer rows may all have changed, so they do not show noise. */
const fewestRows = 8;
/** The median of |z| for a normal distribution. */
const medianOfNormal = 0.6744897501960817;
/**
 * What shifts a step shifts many rows, so that the median of a few dozen squares is off by this factor even without
 * noise between runs.
 */
const usualInflation = 1.5;
/** A larger shift of all rows, in standard deviations of their steps, is a change. */
const mostPerStepDeviation = 1;
/** The difference of runs of the same code on a busy machine, in the same unit. */
const unsteadyPerStepDeviation = 2;
/**
 * On a GPU that nothing else uses, steps vary by less than the first. Above the second, runs differ by
 * `unsteadyPerStepDeviation`.
 */
const [steadyVariation, unsteadyVariation] = [0.038, 0.048];
/** The typical row's variance has the weight of this many degrees of freedom of the row's own. */
const typicalFreedom = 4;

interface StepSamples {
  readonly before: Float64Array | null;
  readonly after: Float64Array | null;
}

/**
 * Returns the noise between runs, estimated from the rows of a report, in standard deviations of a row's steps. It is
 * the amount that makes the spread of the rows' differences, each ÷ its standard error, that of a normal distribution.
 * The spread is taken both about 0 and about the median, where rows that share a step's shift differ by less. A change
 * of few rows does not affect it. If rows vary much from step to step, the machine is busy and the noise is larger;
 * with fewer than eight rows, only this variation is used.
 *
 * @see Devlin and Roeder, "Genomic control for association studies", Biometrics 55 (1999): inflation of the median
 */
export function noiseOfRows(rows: readonly StepSamples[]): RunNoise {
  const found = rows.flatMap(({before, after}) => {
    if (before === null || after === null || Math.min(before.length, after.length) < 2) return [];
    const [a, b] = [momentsOf(before), momentsOf(after)];
    const [ofSteps, ofRuns] = [a.variance / a.length + b.variance / b.length, a.variance + b.variance];
    const variation = Math.sqrt(ofRuns / 2) / Math.max(Math.abs(a.mean), Math.abs(b.mean));
    return ofSteps === 0 ? [] : [{shift: (a.mean - b.mean) / Math.sqrt(ofSteps), perRun: ofRuns / ofSteps, variation}];
  });
  if (found.length === 0) return {from: 'steps', perStepDeviation: 0};
  const least = unsteadiness(median(found.map(({variation}) => variation)));
  if (found.length < fewestRows) return {from: 'steps', perStepDeviation: least};
  const shifts = found.map(({shift}) => shift);
  const perRun = median(found.map(one => one.perRun));
  const ofAll = spreadAbout(0, shifts) / usualInflation - 1;
  // Each row's own shift: a clock change that shifts all rows does not hide it.
  const ofEach = spreadAbout(median(shifts), shifts) - (1 - sharedPart(rows));
  const deviation = Math.sqrt(Math.max(0, ofAll, ofEach) / perRun);
  return {from: 'steps', perStepDeviation: Math.max(least, Math.min(mostPerStepDeviation, deviation))};
}

/**
 * Returns the variance of normal values about a middle, from the median of their distances: a few outliers do not
 * affect it.
 */
function spreadAbout(middle: number, values: readonly number[]): number {
  return (median(values.map(value => Math.abs(value - middle))) / medianOfNormal) ** 2;
}

/** Returns the fraction of the steps' variance that all rows share; 0 if the samples have no common steps. */
function sharedPart(rows: readonly StepSamples[]): number {
  return (sharedPartOf(rows.map(row => row.before)) + sharedPartOf(rows.map(row => row.after))) / 2;
}

/**
 * Returns how correlated rows are: how much more their sum varies, each with a variance of 1, than if they were
 * independent; 0 to 1.
 */
function sharedPartOf(samples: readonly (Float64Array | null)[]): number {
  const varied = samples.filter(row => row !== null && row.length > 1 && momentsOf(row).variance > 0);
  const steps = varied[0]?.length ?? 0;
  if (varied.length < 2 || varied.some(row => row?.length !== steps)) return 0;
  const sums = new Float64Array(steps);
  for (const row of varied) {
    const {mean, variance} = momentsOf(row ?? sums);
    row?.forEach((value, step) => {
      sums[step] += (value - mean) / Math.sqrt(variance);
    });
  }
  const {length} = varied;
  return Math.min(1, Math.max(0, (momentsOf(sums).variance / length - 1) / (length - 1)));
}

/**
 * Returns the noise between repeated runs: the median over all rows of the relative variance of their means, with which
 * each row's own variance is moderated. Null if no side has a second run.
 */
export function noiseOfRepeats(rows: readonly (RunMeans | null)[]): RunNoise | null {
  const variances = rows.flatMap(means => {
    const own = means && pooledVariance(means);
    return own === null || own.scale === 0 ? [] : [own.variance / own.scale ** 2];
  });
  return variances.length === 0 ? null : {from: 'runs', typicalVariance: median(variances)};
}

/** Returns what noise between runs adds to the difference of a row; null if it adds nothing. */
export function runDeviation(noise: RunNoise, samples: StepSamples, means: RunMeans | null): RunDeviation | null {
  const {before, after} = samples;
  if (before === null || after === null) return null;
  const [a, b] = [momentsOf(before), momentsOf(after)];
  if (noise.from === 'steps') {
    const deviationNs = noise.perStepDeviation * Math.sqrt(a.variance + b.variance);
    return deviationNs === 0 ? null : {deviationNs, freedom: 1e6};
  }
  const scale = Math.max(Math.abs(a.mean), Math.abs(b.mean));
  const own = means && pooledVariance(means);
  const freedom = (own?.freedom ?? 0) + typicalFreedom;
  const squares = (own?.variance ?? 0) * (own?.freedom ?? 0) + noise.typicalVariance * scale ** 2 * typicalFreedom;
  return {deviationNs: Math.sqrt((2 * squares) / freedom), freedom};
}

/**
 * Returns the least difference of a run, in standard deviations of its steps, given how much the steps of the typical
 * row vary.
 */
function unsteadiness(variation: number): number {
  const part = (variation - steadyVariation) / (unsteadyVariation - steadyVariation);
  return unsteadyPerStepDeviation * Math.min(1, Math.max(0, part));
}

/**
 * Returns the variance of the runs' means about their side's mean; null if no side has two runs. Each row has few runs,
 * so its variance is moderated with the typical row's.
 *
 * @see Smyth, Statistical Applications in Genetics and Molecular Biology 3 (2004)
 */
function pooledVariance({before, after}: RunMeans): {variance: number; freedom: number; scale: number} | null {
  const sides = [momentsOf(before), momentsOf(after)];
  const freedom = sides.reduce((sum, {length}) => sum + Math.max(0, length - 1), 0);
  if (freedom === 0) return null;
  const squares = sides.reduce((sum, {variance, length}) => sum + variance * Math.max(0, length - 1), 0);
  return {variance: squares / freedom, freedom, scale: greatest(sides.map(({mean}) => Math.abs(mean)))};
}
