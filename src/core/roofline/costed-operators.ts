import type {Precision} from '../estimate/precision.js';
import {kindIndex} from '../trace/slices.js';
import {insideNs} from '../attribution/chosen.js';
import {operatorFinder} from '../figures/operator-of-operation.js';
import type {ReportInput} from '../figures/report-input.js';
import type {OperatorCost} from './cost-formula.js';
import {operatorCost} from './operator-cost.js';
import type {OperatorInputs} from '../figures/operator-inputs.js';

/** An operator that launched GPU work itself. */
export interface WorkingOperator {
  /** Row of `slices`. */
  readonly slice: number;
  /** Sum of the durations of the operations that it launched. */
  readonly gpuWorkNs: number;
  /** The longest of these operations: row of `gpuOperations`. */
  readonly operation: number;
  /** Null if shapes were not recorded or do not determine the cost, and if only part of its work is in scope. */
  readonly cost: OperatorCost | null;
  readonly inputs: OperatorInputs | null;
}

/** GPU work by the operator that launched it, with the operators' costs from their shapes. */
export interface WorkingOperators {
  readonly operators: readonly WorkingOperator[];
  /** All operations in scope, including those without an operator. */
  readonly allGpuWorkNs: number;
  /** Whether the profile has any shapes. */
  readonly hasShapes: boolean;
}

/**
 * Returns operators with GPU work in scope, in the order of their first operation. An operator that launched several
 * kernels (a product in parts) is one. Work of a graph launch has no shapes. A copy from or to the CPU is limited by
 * neither roof, and has no cost. Shapes give the cost of a whole operator, so an operator partly out of scope has none.
 *
 * @throws TraceError `trace/too-many-open-ranges`
 */
export function workingOperators(input: ReportInput): WorkingOperators {
  const known = made.get(input);
  if (known) return known;
  const result = findOperators(input);
  made.set(input, result);
  return result;
}

/** Cached, because points, steps and calibration all use the operators of one input. */
const made = new WeakMap<ReportInput, WorkingOperators>();

function findOperators(input: ReportInput): WorkingOperators {
  const {trace, scope, details, tables} = input;
  const {slices, gpuOperations} = trace;
  const operatorOf = operatorFinder(trace, tables.launchSites, tables.operatorStacks);
  const found = new Map<number, {gpuWorkNs: number; operation: number; longestNs: number}>();
  const cut = new Set<number>();
  let allGpuWorkNs = 0;
  for (let operation = 0; operation < gpuOperations.length; operation++) {
    const operator = operatorOf(operation);
    if (scope.operations?.[operation] === 0) {
      cut.add(operator);
      continue;
    }
    const slice = gpuOperations.slice[operation];
    const workNs = insideNs(slices.startNs[slice], slices.durationNs[slice], scope);
    allGpuWorkNs += workNs;
    if (operator < 0) continue;
    if (workNs < slices.durationNs[slice]) cut.add(operator);
    const known = found.get(operator);
    if (!known) {
      found.set(operator, {gpuWorkNs: workNs, operation, longestNs: workNs});
      continue;
    }
    known.gpuWorkNs += workNs;
    if (workNs <= known.longestNs) continue;
    known.longestNs = workNs;
    known.operation = operation;
  }
  const operators = Array.from(found, ([slice, {gpuWorkNs, operation}]): WorkingOperator => {
    const inputs = details.shapes?.get(slice) ?? null;
    const longest = gpuOperations.slice[operation];
    const longestName = trace.strings.get(slices.name[longest]);
    const isFromElsewhere = slices.kind[longest] === kindIndex.gpu_memcpy && !longestName.includes('DtoD');
    const isKnown = inputs && !isFromElsewhere && !cut.has(slice);
    const cost = isKnown ? operatorCost(trace.strings.get(slices.name[slice]), inputs) : null;
    return {slice, gpuWorkNs, operation, inputs, cost: cost && asMultiplied(cost, longestName)};
  });
  return {operators, allGpuWorkNs, hasShapes: details.hasShapes ?? (details.shapes?.size ?? 0) > 0};
}

/** Names that cuBLAS, cuDNN and CUTLASS give to kernels that multiply fp32 on tensor cores. */
const tf32Kernel = /tf32|s1688(gemm|fprop|dgrad|wgrad)|tensorop_s1688/i;

/**
 * Returns the cost in the precision that was really used: only the kernel's name shows that fp32 was multiplied as
 * TF32.
 */
function asMultiplied(cost: OperatorCost, kernel: string): OperatorCost {
  const precision: Precision | null = cost.precision === 'fp32' && tf32Kernel.test(kernel) ? 'tf32' : cost.precision;
  return {...cost, precision};
}
