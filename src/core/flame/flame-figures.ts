import {ChainUnion} from '../attribution/busy-totals.js';
import {allocateColumns} from '../table/table.js';
import {callerSide, flameSchema, type FlameTable} from './flame-graph.js';
import type {FlameSamples} from './flame-samples.js';
import type {FlameTree} from './flame-tree.js';

type FlameColumns = {-readonly [K in keyof typeof flameSchema]: FlameTable[K]};

/** Returns the weight of each block, including everything below it. */
export function flameTotals({length, parent}: FlameTree, samples: FlameSamples): Float64Array {
  const totals = new Float64Array(length);
  for (let at = 0; at < samples.length; at++) if (samples.node[at] >= 0) totals[samples.node[at]] += samples.weight[at];
  for (let node = length - 1; node > 0; node--) totals[parent[node]] += totals[node];
  return totals;
}

/**
 * Returns the table of a tree's blocks.
 *
 * @param places blocks of the samples, by sample; in a sandwich, the blocks of the callees, then those of the callers
 * @param deviceCount the number of devices in the trace; 0 if the samples are not GPU operations, which have no busy
 *   time
 */
export function flameFigures(
  tree: FlameTree,
  samples: FlameSamples,
  places: readonly Int32Array[],
  deviceCount: number,
): FlameTable {
  const {length, parent, name, kind, side} = tree;
  const columns: FlameColumns = {...allocateColumns(flameSchema, length), parent, name, kind, side};
  columns.firstNs.fill(Infinity);
  columns.lastNs.fill(-Infinity);
  columns.slice.fill(-1);
  places.forEach((nodeOf, index) => {
    addOwn(columns, samples, nodeOf, index === 0 ? 0 : callerSide);
  });
  columns.total.set(columns.self);
  addToParents(columns, length);
  // The weight of callers is the root's, so they have none of their own.
  for (let node = 0; node < length; node++) if (side[node] === callerSide) columns.self[node] = 0;
  for (let node = 0; node < length; node++) {
    if (columns.firstNs[node] === Infinity) columns.firstNs[node] = columns.lastNs[node] = NaN;
  }
  if (deviceCount === 0) columns.busyNs.fill(NaN);
  else places.forEach((nodeOf, index) => addBusy(columns, samples, nodeOf, deviceCount, index > 0));
  return {length, ...columns};
}

/** Adds each sample to its block. The root of a sandwich gets its figures only from the callees. */
function addOwn(columns: FlameColumns, samples: FlameSamples, nodeOf: Int32Array, side: number): void {
  const {self, workNs, operations, firstNs, lastNs, slice} = columns;
  for (let at = 0; at < samples.length; at++) {
    const node = nodeOf[at];
    if (node < 0 || (side === callerSide && node === 0)) continue;
    self[node] += samples.weight[at];
    if (samples.slice[at] < 0) continue;
    if (samples.device[at] >= 0) {
      workNs[node] += samples.endNs[at] - samples.startNs[at];
      operations[node]++;
    }
    if (samples.startNs[at] < firstNs[node]) {
      firstNs[node] = samples.startNs[at];
      slice[node] = samples.slice[at];
    }
    lastNs[node] = Math.max(lastNs[node], samples.endNs[at]);
  }
}

/** Adds the figures of each block to its parent's, the innermost first. */
function addToParents(columns: FlameColumns, length: number): void {
  const {parent, side, total, workNs, operations, firstNs, lastNs, slice} = columns;
  for (let node = length - 1; node > 0; node--) {
    const outer = parent[node];
    if (outer === 0 && side[node] === callerSide) continue;
    total[outer] += total[node];
    workNs[outer] += workNs[node];
    operations[outer] += operations[node];
    if (firstNs[node] < firstNs[outer]) {
      firstNs[outer] = firstNs[node];
      slice[outer] = slice[node];
    }
    lastNs[outer] = Math.max(lastNs[outer], lastNs[node]);
  }
}

/** Adds busy time. Operations come in order of start, as their union needs. */
function addBusy(
  {parent, busyNs}: FlameColumns,
  samples: FlameSamples,
  nodeOf: Int32Array,
  deviceCount: number,
  isOfCallers: boolean,
): void {
  const {length} = busyNs;
  const first = isOfCallers ? 1 : 0;
  const chains = {
    length,
    group: Int32Array.from(busyNs.keys()),
    parent: parent.map(outer => (outer < first ? -1 : outer)),
  };
  const union = new ChainUnion(chains, length, deviceCount);
  const {device, startNs, endNs} = samples;
  for (let at = 0; at < samples.length; at++) {
    if (device[at] >= 0 && nodeOf[at] >= first) union.add(device[at], nodeOf[at], startNs[at], endNs[at]);
  }
  union.addTo(busyNs);
}
