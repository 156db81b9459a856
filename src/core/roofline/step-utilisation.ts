import {stepOfOperations} from '../queries/step-scope.js';
import {stepsOf, type Step} from '../queries/steps.js';
import type {System} from '../estimate/system.js';
import type {ReportInput} from '../stats/report.js';
import {workingOperators} from './costed-operators.js';
import {roofsOf} from './roofs.js';

/** How much of the GPUs' peak a step's products used. */
export interface StepUtilisation {
  readonly step: Step;
  /** The step's range, from beginning to end. */
  readonly durationNs: number;
  /** GPUs that worked for the step. */
  readonly gpus: number;
  /** Operations of products whose shapes are known. */
  readonly matrixFlops: number;
  /** The time that they take at their precisions' peaks, on one GPU. */
  readonly peakNs: number;
  /** `peakNs` over the time of all GPUs; null where a product's peak is not known. */
  readonly utilisation: number | null;
  /** GPU work of the step, and the part of it that shapes tell. */
  readonly gpuWorkNs: number;
  readonly knownGpuWorkNs: number;
}

/**
 * Model FLOPs utilisation of each step: Σ (operations of products ÷ peak of their precision) ÷ (the step's duration ×
 * GPUs). What was recomputed counts too, since a profile has what ran (hardware FLOPs utilisation).
 *
 * @see Chowdhery et al. 2022, PaLM, arXiv:2204.02311, appendix B; docs/metrics.md#mfu-sum
 * @throws TraceError `trace/too-many-open-ranges`
 */
export function stepUtilisations(input: ReportInput, system: System | null): StepUtilisation[] {
  const {trace} = input;
  const {slices, gpuOperations} = trace;
  const stepOf = stepOfOperations(trace, input.tables.launchSites);
  const steps = stepsOf(trace).map(step => ({
    step,
    durationNs: step.endNs - step.startNs,
    devices: new Set<number>(),
    matrixFlops: 0,
    peakNs: 0,
    hasPeak: system !== null,
    gpuWorkNs: 0,
    knownGpuWorkNs: 0,
  }));
  for (let operation = 0; operation < gpuOperations.length; operation++) {
    if (stepOf[operation] < 0 || input.scope.operations?.[operation] === 0) continue;
    const at = steps[stepOf[operation]];
    at.gpuWorkNs += slices.durationNs[gpuOperations.slice[operation]];
    at.devices.add(gpuOperations.device[operation]);
  }
  for (const {cost, operation, gpuWorkNs} of workingOperators(input).operators) {
    if (stepOf[operation] < 0 || !cost) continue;
    const at = steps[stepOf[operation]];
    at.knownGpuWorkNs += gpuWorkNs;
    if (cost.flops.matrix === 0) continue;
    at.matrixFlops += cost.flops.matrix;
    const roofs = system && cost.precision && roofsOf(system, cost.precision);
    if (roofs) at.peakNs += (cost.flops.matrix / roofs.flopsPerSecond) * 1e9;
    else at.hasPeak = false;
  }
  return steps.map(({devices, hasPeak, ...step}) => ({
    ...step,
    gpus: devices.size,
    utilisation:
      hasPeak && devices.size > 0 && step.durationNs > 0 ? step.peakNs / (step.durationNs * devices.size) : null,
  }));
}
