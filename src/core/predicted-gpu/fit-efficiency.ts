import type {ReportInput} from '../figures/report-input.js';
import {workingOperators} from '../roofline/costed-operators.js';
import {rooflineNs} from '../roofline/roofs.js';
import type {System} from '../estimate/system.js';
import {predictedClass, type PredictedClass} from './work-class.js';

/** The time of an operator in a class: `floorNs` + its least time on the roofs / `efficiency`. */
export interface ClassEfficiency {
  readonly floorNs: number;
  /** Above 0, at most 1. */
  readonly efficiency: number;
}

/** An operator that ran on a GPU, with its least time on the GPU's roofs. */
export interface WorkPoint {
  readonly class: PredictedClass;
  readonly leastNs: number;
  readonly measuredNs: number;
}

/**
 * Returns the operators of a profile whose shapes give their least time.
 *
 * @throws TraceError `trace/too-many-open-ranges`
 */
export function workPoints(input: ReportInput, system: System): WorkPoint[] {
  const {slices, strings} = input.trace;
  return workingOperators(input).operators.flatMap(({slice, gpuWorkNs, cost}) => {
    const leastNs = cost && rooflineNs(cost.flops, cost.bytes, cost.precision, system);
    if (!cost || leastNs === null || gpuWorkNs <= 0) return [];
    return [{class: predictedClass(strings.get(slices.name[slice]), cost), leastNs, measuredNs: gpuWorkNs}];
  });
}

/** Returns the time of an operator by a class's figures, ns. */
export function classNs({floorNs, efficiency}: ClassEfficiency, leastNs: number): number {
  return floorNs + leastNs / efficiency;
}

const floorsNs = [0, 500, 1000, 1500, 2000, 2500, 3000, 4000, 5000, 6000, 8000, 10_000];
/** 2 % to 100 % in relative steps of 5 %. */
const efficiencies = Array.from({length: 81}, (_, at) => 0.02 * 1.0502 ** at).filter(value => value <= 1);

/**
 * Returns the floor and efficiency that predict the points of several profiles best, with equal weight per profile.
 * Minimises the mean |ln(predicted / measured)|, weighted half by operators and half by their time, with a grid search.
 *
 * @param profiles the points of each profile in one class, at least one each
 */
export function fitEfficiency(profiles: readonly (readonly WorkPoint[])[]): ClassEfficiency {
  let best: ClassEfficiency = {floorNs: 0, efficiency: 1};
  let least = Infinity;
  for (const floorNs of floorsNs) {
    for (const efficiency of efficiencies) {
      const tried = {floorNs, efficiency};
      const loss = profiles.reduce((sum, points) => sum + lossOf(tried, points), 0);
      if (loss >= least) continue;
      least = loss;
      best = tried;
    }
  }
  return best;
}

function lossOf(figures: ClassEfficiency, points: readonly WorkPoint[]): number {
  let [ofOperators, ofTime, allNs] = [0, 0, 0];
  for (const {leastNs, measuredNs} of points) {
    const error = Math.abs(Math.log(classNs(figures, leastNs) / measuredNs));
    ofOperators += error;
    ofTime += error * measuredNs;
    allNs += measuredNs;
  }
  return 0.5 * (ofOperators / points.length) + 0.5 * (ofTime / allNs);
}
