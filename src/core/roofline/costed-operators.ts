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
  /** Durations of the operations that it launched, summed. */
  readonly gpuWorkNs: number;
  /** The longest of them: row of `gpuOperations`. */
  readonly operation: number;
  /** Null where shapes are not recorded, or do not tell, and where a part of its work alone is in scope. */
  readonly cost: OperatorCost | null;
  readonly inputs: OperatorInputs | null;
}

/** GPU work by the operator that launched it, with what the operator's shapes say. */
export interface WorkingOperators {
  readonly operators: readonly WorkingOperator[];
  /** Of all operations in scope, those of no operator included. */
  readonly allGpuWorkNs: number;
  /** Whether the profile has any shapes. */
  readonly hasShapes: boolean;
}

/**
 * Operators with GPU work in scope, in the order of their first operation. An operator that launched several kernels
 * (a product in parts) is one. What a graph's launch started belongs to no shapes; a copy from or to the CPU is bound by
 * neither roof, and has no cost. Shapes tell the cost of a whole operator, so one that the scope cuts has none.
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

/** Points, steps and calibration are all made from the operators of one input. */
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

/** Names of kernels that multiply fp32 on tensor cores, as cuBLAS, cuDNN and CUTLASS give them. */
const tf32Kernel = /tf32|s1688(gemm|fprop|dgrad|wgrad)|tensorop_s1688/i;

/** TF32 is a way to multiply fp32: only the kernel's name tells. */
function asMultiplied(cost: OperatorCost, kernel: string): OperatorCost {
  const precision: Precision | null = cost.precision === 'fp32' && tf32Kernel.test(kernel) ? 'tf32' : cost.precision;
  return {...cost, precision};
}
