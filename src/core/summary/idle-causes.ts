import {launchSites} from '../attribution/launch-sites.js';
import {lowerBound, upperBound} from '../table/search.js';
import {coveredNs, unionOfSets} from '../trace/interval-sets.js';
import type {Intervals} from '../trace/intervals.js';
import type {Trace} from '../trace/trace.js';
import {partIndex} from './time-parts.js';

const loaderName = /^enumerate\(DataLoader\)/i;
const allocationName = /^(cudaMalloc|cudaFree|cudaHostAlloc|hipMalloc|hipFree|hipHostMalloc|cuMem.*Alloc|cuMemFree)/i;
const asyncName = /Async/i;
const waitName = /Synchronize|^(cuda|hip|cu)Memcpy/i;

/** Splits idle time of a GPU by cause, in the order of docs/findings.md. */
export interface IdleCauses {
  /**
   * Adds `[fromNs, toNs)` of a gap to the sums of parts.
   *
   * @param cause the part for time that neither the loader nor an allocation takes
   */
  split(fromNs: number, toNs: number, cause: number, add: (part: number, ns: number) => void): void;
  /** Returns the part of a gap that begins at `gapNs`. @param operation the operation that ends the gap */
  causeOf(gapNs: number, operation: number): number;
}

/** @see docs/findings.md#idle-time-and-its-causes */
export function idleCausesOf(trace: Trace): IdleCauses {
  const {slices} = trace;
  const {siteOf, slice} = launchSites(trace);
  const loader = unionOfSets([slicesNamed(trace, name => loaderName.test(name))]);
  const isAllocation = (name: string) => allocationName.test(name) && !asyncName.test(name);
  const loaderOrAllocation = unionOfSets([loader, callsNamed(trace, isAllocation)]);
  const waits = callsNamed(trace, name => waitName.test(name));
  const waitStarts = waits.startNs.slice().sort();
  const waitEnds = Float64Array.from(waits.durationNs, (ns, at) => waits.startNs[at] + ns).sort();
  return {
    split(fromNs, toNs, cause, add) {
      const loaderNs = coveredNs(loader, fromNs, toNs);
      const eitherNs = coveredNs(loaderOrAllocation, fromNs, toNs);
      add(partIndex['idle/loader'], loaderNs);
      add(partIndex['idle/allocation'], eitherNs - loaderNs);
      add(cause, toNs - fromNs - eitherNs);
    },
    causeOf(gapNs, operation) {
      const site = siteOf[operation];
      const launchEndNs = site < 0 ? NaN : slices.startNs[slice[site]] + slices.durationNs[slice[site]];
      if (launchEndNs <= gapNs) return partIndex['idle/other'];
      // A wait that begins or ends at exactly this moment counts.
      if (upperBound(waitStarts, gapNs) > lowerBound(waitEnds, gapNs)) return partIndex['idle/wait'];
      return launchEndNs > gapNs ? partIndex['idle/launch'] : partIndex['idle/other'];
    },
  };
}

function slicesNamed({slices, strings}: Trace, isWanted: (name: string) => boolean): Intervals {
  const wanted = namesWanted(strings.length, name => isWanted(strings.get(name)));
  const rows: number[] = [];
  for (let row = 0; row < slices.length; row++) if (wanted(slices.name[row])) rows.push(row);
  return intervalsOfRows(slices, rows);
}

function callsNamed({slices, strings, apiCalls}: Trace, isWanted: (name: string) => boolean): Intervals {
  const wanted = namesWanted(strings.length, name => isWanted(strings.get(name)));
  const rows: number[] = [];
  for (const row of apiCalls.slice) if (wanted(slices.name[row])) rows.push(row);
  return intervalsOfRows(slices, rows);
}

function intervalsOfRows({startNs, durationNs}: Trace['slices'], rows: readonly number[]): Intervals {
  return {
    length: rows.length,
    startNs: Float64Array.from(rows, row => startNs[row]),
    durationNs: Float64Array.from(rows, row => durationNs[row]),
  };
}

/** Returns a test of names that is evaluated once per name. */
function namesWanted(names: number, isWanted: (name: number) => boolean): (name: number) => boolean {
  const known = new Int8Array(names).fill(-1);
  return name => {
    if (known[name] < 0) known[name] = isWanted(name) ? 1 : 0;
    return known[name] === 1;
  };
}
