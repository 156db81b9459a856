import {nameInRows, namingOf, type Naming} from '../attribution/name-fold.js';
import {noLaunchBucket, buckets} from '../attribution/site-chains.js';
import {getOrAdd} from '../table/get-or-add.js';
import {kindIndex} from '../trace/slices.js';
import {rangeSites, type RangeSites} from '../figures/range-work.js';
import type {ReportInput} from '../figures/report-input.js';

/** Copies that the ranges of a name launched, on one GPU in one process. */
export interface RangeCopies {
  /** The ranges' name, or why the copies are in no range. */
  readonly name: string;
  readonly process: number;
  readonly device: number;
  copies: number;
  /** Copies with a known size. */
  sizedCopies: number;
  /** Bytes of these copies. */
  bytes: number;
}

const outside = '(outside any range)';

/**
 * Returns the copies in scope by the ranges that contain their calls on the calls' own threads. A copy counts once for
 * each name. Copies whose call is in no range, and copies that no call launched, have rows of their own.
 *
 * @throws TraceError `trace/too-many-open-ranges`
 */
export function copiesByRange(input: ReportInput): RangeCopies[] {
  const {trace, scope, tables} = input;
  const {slices, gpuOperations} = trace;
  const isCopy = gpuOperations.slice.map((slice, operation) =>
    slices.kind[slice] === kindIndex.gpu_memcpy && scope.operations?.[operation] !== 0 ? 1 : 0,
  );
  if (!isCopy.includes(1)) return [];
  const rows = new Map<string, RangeCopies>();
  const add = (name: string, operation: number) => {
    const process = gpuOperations.process[operation];
    const device = gpuOperations.device[operation];
    const key = JSON.stringify([name, process, device]);
    const row = getOrAdd(rows, key, () => ({name, process, device, copies: 0, sizedCopies: 0, bytes: 0}));
    row.copies++;
    // -1 is a size that the profile does not record.
    if (gpuOperations.bytes[operation] < 0) return;
    row.sizedCopies++;
    row.bytes += gpuOperations.bytes[operation];
  };
  const {threadRanges, allThreadRanges, sites, launches} = tables;
  const naming = namingOf(trace, input.stack?.fold, threadRanges.slice);
  eachByName(input, sites, naming, (name, operation) => {
    if (isCopy[operation] === 1) add(naming.textOf(name), operation);
  });
  // A copy in a range that is out of scope still counts as inside a range.
  const isInRange = new Uint8Array(isCopy.length);
  const allSites = allThreadRanges === threadRanges ? sites : rangeSites(trace, allThreadRanges, launches);
  eachByName(input, allSites, naming, (_, operation) => (isInRange[operation] = 1));
  for (let operation = 0; operation < isCopy.length; operation++) {
    if (isCopy[operation] === 0 || isInRange[operation] === 1) continue;
    add(launches.callCount[operation] === 0 ? buckets[noLaunchBucket] : outside, operation);
  }
  return [...rows.values()];
}

/** Calls back for each operation whose call is in a range, once for each name. */
function eachByName(
  {trace: {slices, gpuOperations}, tables: {launches}}: ReportInput,
  sites: RangeSites,
  naming: Naming,
  visit: (name: number, operation: number) => void,
): void {
  const {ranges} = sites;
  const nameOf = ranges.slice.map(slice => nameInRows(naming, slices.name[slice]));
  const order = new Int32Array(ranges.length).map((_, range) => range).sort((a, b) => nameOf[a] - nameOf[b] || a - b);
  const lastName = new Int32Array(gpuOperations.length).fill(-1);
  for (const range of order) {
    for (let site = sites.firstSite[range]; site < sites.endSite[range]; site++) {
      if (sites.endNs[site] > ranges.endNs(range)) continue;
      const call = sites.call[site];
      for (let i = launches.offsets[call]; i < launches.offsets[call + 1]; i++) {
        const operation = launches.operations[i];
        if (lastName[operation] === nameOf[range]) continue;
        lastName[operation] = nameOf[range];
        visit(nameOf[range], operation);
      }
    }
  }
}
