import {lowerBound, upperBound} from '../table/search.js';
import {instantKindIndex} from '../trace/instants.js';
import type {Trace} from '../trace/trace.js';
import type {CpuTree} from '../figures/cpu-tree.js';
import type {ReportScope} from '../scope/report-scope.js';

/** Allocations and frees, in order of time. Lists have the same length; sums are one longer and begin with 0. */
export interface MemoryChanges {
  readonly name: Int32Array;
  readonly atNs: Float64Array;
  /**
   * Whether an event is in scope. Events of any thread outside the scope still change the memory of operators in scope.
   */
  readonly isIn: Uint8Array;
  readonly cpuBytesBefore: Float64Array;
  readonly deviceBytesBefore: Float64Array;
  /** Failed allocations, which change nothing. */
  readonly failures: readonly MemoryEvent[];
}

/** A memory event as a row of `key_averages`. */
export interface MemoryEvent {
  /** Index into the trace's strings. */
  readonly name: number;
  readonly atNs: number;
  readonly cpuBytes: number;
  readonly deviceBytes: number;
}

/** Returns the memory events of a trace in the scope's window. */
export function memoryChanges({instants}: Trace, {fromNs, toNs, instants: scope}: ReportScope): MemoryChanges {
  const rows: number[] = [];
  const failures: MemoryEvent[] = [];
  for (let row = 0; row < instants.length; row++) {
    const atNs = instants.atNs[row];
    if (atNs < fromNs || atNs >= toNs || Number.isNaN(instants.bytes[row])) continue;
    if (instants.kind[row] === instantKindIndex.memory) rows.push(row);
    else if (instants.kind[row] === instantKindIndex.out_of_memory && scope?.[row] !== 0) {
      // A failure records the requested bytes, but allocates none.
      failures.push({name: instants.name[row], atNs, cpuBytes: 0, deviceBytes: 0});
    }
  }
  const cpuBytesBefore = new Float64Array(rows.length + 1);
  const deviceBytesBefore = new Float64Array(rows.length + 1);
  rows.forEach((row, i) => {
    const {cpuBytes, deviceBytes} = bytesAt(row);
    cpuBytesBefore[i + 1] = cpuBytesBefore[i] + cpuBytes;
    deviceBytesBefore[i + 1] = deviceBytesBefore[i] + deviceBytes;
  });
  return {
    name: Int32Array.from(rows, row => instants.name[row]),
    atNs: Float64Array.from(rows, row => instants.atNs[row]),
    isIn: Uint8Array.from(rows, row => scope?.[row] ?? 1),
    cpuBytesBefore,
    deviceBytesBefore,
    failures,
  };

  function bytesAt(row: number): {cpuBytes: number; deviceBytes: number} {
    const isDevice = instants.device[row] >= 0;
    return {cpuBytes: isDevice ? 0 : instants.bytes[row], deviceBytes: isDevice ? instants.bytes[row] : 0};
  }
}

/** Returns, for each node, bytes allocated less bytes freed while it ran, ends included, on any thread. */
export function bytesOfNodes(
  {atNs, cpuBytesBefore, deviceBytesBefore}: MemoryChanges,
  {length, startNs, endNs}: CpuTree,
): {cpuBytes: Float64Array; deviceBytes: Float64Array} {
  const cpuBytes = new Float64Array(length);
  const deviceBytes = new Float64Array(length);
  if (atNs.length === 0) return {cpuBytes, deviceBytes};
  for (let node = 0; node < length; node++) {
    const first = lowerBound(atNs, startNs[node]);
    const end = upperBound(atNs, endNs[node]);
    cpuBytes[node] = cpuBytesBefore[end] - cpuBytesBefore[first];
    deviceBytes[node] = deviceBytesBefore[end] - deviceBytesBefore[first];
  }
  return {cpuBytes, deviceBytes};
}

/** Returns the memory events in scope that happened while no node ran, and all failures in scope. */
export function unclaimed(
  {name, atNs, isIn, cpuBytesBefore, deviceBytesBefore, failures}: MemoryChanges,
  {length, startNs, endNs}: CpuTree,
): MemoryEvent[] {
  // How many more nodes run at an event than at the previous one.
  const more = new Int32Array(atNs.length + 1);
  for (let node = 0; node < length && atNs.length > 0; node++) {
    more[lowerBound(atNs, startNs[node])]++;
    more[upperBound(atNs, endNs[node])]--;
  }
  const events: MemoryEvent[] = [];
  let running = 0;
  for (let event = 0; event < atNs.length; event++) {
    running += more[event];
    if (running > 0 || isIn[event] === 0) continue;
    events.push({
      name: name[event],
      atNs: atNs[event],
      cpuBytes: cpuBytesBefore[event + 1] - cpuBytesBefore[event],
      deviceBytes: deviceBytesBefore[event + 1] - deviceBytesBefore[event],
    });
  }
  return [...events, ...failures];
}
