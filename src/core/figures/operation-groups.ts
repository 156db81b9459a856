import {insideNs} from '../attribution/chosen.js';
import {reportMemoryName} from '../names/memory-operation-name.js';
import {kindIndex} from '../trace/slices.js';
import {TextGroups} from './group-index.js';
import {groupStatistics, type Groups, type GroupStatistics} from './group-statistics.js';
import {kernelGrouper, type KernelNameInput} from './kernel-names.js';
import type {ReportSource} from './report-source.js';

/**
 * Groups of rows by a name, and the durations of each group's rows; rows partly outside the window count the time
 * inside, ns.
 */
export interface NamedGroups extends Groups {
  /** Group → its name. */
  readonly names: readonly string[];
  readonly statistics: GroupStatistics;
}

/** Returns the durations of all operations, clipped to the scope's window, ns. */
export function operationDurations({trace: {slices, gpuOperations}, scope}: ReportSource): Float64Array {
  const durationNs = new Float64Array(gpuOperations.length);
  for (let operation = 0; operation < durationNs.length; operation++) {
    const slice = gpuOperations.slice[operation];
    durationNs[operation] = insideNs(slices.startNs[slice], slices.durationNs[slice], scope);
  }
  return durationNs;
}

/** Returns the group of each kernel in scope, -1 for every other operation. */
export function kernelGroups({trace, scope}: ReportSource, groupOf: (operation: number) => number): Int32Array {
  const {slices, gpuOperations} = trace;
  const groups = new Int32Array(gpuOperations.length).fill(-1);
  for (let operation = 0; operation < groups.length; operation++) {
    if (scope.operations !== null && scope.operations[operation] === 0) continue;
    if (slices.kind[gpuOperations.slice[operation]] === kindIndex.kernel) groups[operation] = groupOf(operation);
  }
  return groups;
}

/** Groups kernels by the name that the options ask for. @param operationNs from `operationDurations` */
export function kernelsByName(input: KernelNameInput, operationNs: Float64Array): NamedGroups {
  const names = new TextGroups();
  return named(names, kernelGroups(input, kernelGrouper(input, names)), operationNs);
}

/** Groups copies and memsets by direction. @param operationNs from `operationDurations` */
export function memoryByDirection({trace, scope}: ReportSource, operationNs: Float64Array): NamedGroups {
  const {slices, gpuOperations, strings} = trace;
  const names = new TextGroups();
  const byName = names.byNumber(strings.length, name => reportMemoryName(strings.get(name)));
  const groupOf = new Int32Array(gpuOperations.length).fill(-1);
  for (let operation = 0; operation < groupOf.length; operation++) {
    if (scope.operations !== null && scope.operations[operation] === 0) continue;
    const slice = gpuOperations.slice[operation];
    const kind = slices.kind[slice];
    if (kind === kindIndex.gpu_memcpy || kind === kindIndex.gpu_memset) groupOf[operation] = byName(slices.name[slice]);
  }
  return named(names, groupOf, operationNs);
}

function named({texts: names}: TextGroups, groupOf: Int32Array, operationNs: Float64Array): NamedGroups {
  const {length} = names;
  return {groupOf, length, names, statistics: groupStatistics(operationNs, {groupOf, length})};
}
