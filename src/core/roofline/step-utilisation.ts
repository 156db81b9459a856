import {insideNs} from '../attribution/chosen.js';
import {stepOfOperations} from '../scope/step-scope.js';
import {stepSpans} from '../scope/step-spans.js';
import type {Step} from '../scope/steps.js';
import type {System} from '../estimate/system.js';
import type {ReportInput} from '../figures/report-input.js';
import {workingOperators} from './costed-operators.js';
import {roofsOf} from './roofs.js';

/** The note for an MFU above 100 %, which no GPU reaches. */
export const abovePeak = 'above the peak: the GPU, the shapes or the times are not what the file says';

/** How much of the GPUs' peak a step's products used. */
export interface StepUtilisation {
  readonly step: Step;
  /** From the step's start to its end, including its GPU operations. */
  readonly durationNs: number;
  /** Number of GPUs that worked for the step. */
  readonly gpus: number;
  /** Operations of products with known shapes. */
  readonly matrixFlops: number;
  /** Their time at the peaks of their precisions, on one GPU. */
  readonly peakNs: number;
  /**
   * `peakNs` divided by the time of all GPUs; null if a product's peak is unknown, or only part of the step is
   * selected.
   */
  readonly utilisation: number | null;
  /** GPU work of the step; `knownGpuWorkNs` is the part with known shapes. */
  readonly gpuWorkNs: number;
  readonly knownGpuWorkNs: number;
}

/**
 * Returns the model FLOPs utilisation of each step: Σ (operations of products ÷ peak of their precision) ÷ (the step's
 * duration × GPUs). Recomputed work counts too, because a profile shows what ran (hardware FLOPs utilisation).
 *
 * @see Chowdhery et al. 2022, PaLM, arXiv:2204.02311, appendix B; docs/metrics.md#mfu-sum
 * @throws TraceError `trace/too-many-open-ranges`
 */
export function stepUtilisations(input: ReportInput, system: System | null): StepUtilisation[] {
  const {launchSites} = input.tables;
  const stepOf = stepOfOperations(input.trace, launchSites);
  const steps = stepSpans(input.trace, launchSites).map(emptySums);
  addGpuWork(input, stepOf, steps);
  addProducts(input, system, stepOf, steps);
  return steps.map(({devices, hasPeak, isWhole, ...step}) => {
    const gpuNs = step.durationNs * devices.size;
    const isKnown = system !== null && hasPeak && isWhole && gpuNs > 0;
    return {...step, gpus: devices.size, utilisation: isKnown ? step.peakNs / gpuNs : null};
  });
}

function emptySums(step: Step) {
  return {
    step,
    durationNs: step.endNs - step.startNs,
    devices: new Set<number>(),
    matrixFlops: 0,
    peakNs: 0,
    /** Whether the peak of every product is known. */
    hasPeak: true,
    /** Whether all GPU work of the step is in scope. */
    isWhole: true,
    gpuWorkNs: 0,
    knownGpuWorkNs: 0,
  };
}

type StepSums = ReturnType<typeof emptySums>;

function addGpuWork({trace, scope}: ReportInput, stepOf: Int32Array, steps: readonly StepSums[]): void {
  const {slices, gpuOperations} = trace;
  for (let operation = 0; operation < gpuOperations.length; operation++) {
    if (stepOf[operation] < 0) continue;
    const sums = steps[stepOf[operation]];
    const slice = gpuOperations.slice[operation];
    const workNs = insideNs(slices.startNs[slice], slices.durationNs[slice], scope);
    const isIn = scope.operations?.[operation] !== 0;
    if (!isIn || workNs < slices.durationNs[slice]) sums.isWhole = false;
    if (!isIn) continue;
    sums.gpuWorkNs += workNs;
    sums.devices.add(gpuOperations.device[operation]);
  }
}

function addProducts(input: ReportInput, system: System | null, stepOf: Int32Array, steps: readonly StepSums[]): void {
  for (const {cost, operation, gpuWorkNs} of workingOperators(input).operators) {
    if (stepOf[operation] < 0 || !cost) continue;
    const sums = steps[stepOf[operation]];
    sums.knownGpuWorkNs += gpuWorkNs;
    if (cost.flops.matrix === 0) continue;
    sums.matrixFlops += cost.flops.matrix;
    const roofs = system && cost.precision && roofsOf(system, cost.precision);
    if (roofs) sums.peakNs += (cost.flops.matrix / roofs.flopsPerSecond) * 1e9;
    else sums.hasPeak = false;
  }
}
