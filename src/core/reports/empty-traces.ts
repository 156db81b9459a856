import {communicationOperator, isCommunicationKernel, isCpuCollective} from '../names/kernel-class.js';
import type {StringTable} from '../table/string-table.js';
import {derived, derivedKey} from '../trace/derived.js';
import type {Trace} from '../trace/trace.js';

/** Returns whether a trace has no GPU operation. */
export function hasNoGpuWork({gpuOperations}: Trace): boolean {
  return gpuOperations.length === 0;
}

/** Returns whether a trace has no CUDA or HIP call. */
export function hasNoApiCalls({apiCalls}: Trace): boolean {
  return apiCalls.length === 0;
}

/** Returns whether a trace has neither slices nor instants. */
export function hasNoEvents({slices, instants}: Trace): boolean {
  return slices.length + instants.length === 0;
}

const hasNoCollectivesKey = derivedKey<boolean>('has no collectives');

/** Returns whether no name in a trace is a collective's, on a GPU or on the CPU. */
export function hasNoCollectives(trace: Trace): boolean {
  return derived(
    trace,
    hasNoCollectivesKey,
    () => !anyName(trace.strings, isCollective),
    () => 1,
  );
}

function isCollective(name: string): boolean {
  return name === communicationOperator || isCpuCollective(name) || isCommunicationKernel(name);
}

function anyName(strings: StringTable, fits: (name: string) => boolean): boolean {
  for (let name = 1; name < strings.length; name++) if (fits(strings.get(name))) return true;
  return false;
}
