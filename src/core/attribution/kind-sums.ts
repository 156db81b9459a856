import {rowsIn} from '../table/search.js';
import type {Trace} from '../trace/trace.js';
import type {SiteKinds} from './alike-sites.js';
import type {Attribution} from './attribute.js';

/** Sums over the operations of each kind of site; the last row is of operations without a site. */
export interface KindSums {
  readonly workNs: Float64Array;
  readonly operations: Float64Array;
  /** Operations that the file's importer assumed something of. */
  readonly assumed: Float64Array;
  /** Launching calls. */
  readonly launches: Float64Array;
}

/** Returns the sums of each kind over the whole trace. */
export function sumsOfKinds(
  {slices, gpuOperations, assumed}: Trace,
  {sites}: Attribution,
  {kinds, kindOf}: SiteKinds,
): KindSums {
  const {durationNs} = slices;
  const {siteOf, launchOf, isCall} = sites;
  const sums = {
    workNs: new Float64Array(kinds + 1),
    operations: new Float64Array(kinds + 1),
    assumed: new Float64Array(kinds + 1),
    launches: new Float64Array(kinds + 1),
  };
  const isAssumed = rowsIn(assumed);
  const isCounted = new Uint8Array(isCall.length);
  for (let operation = 0; operation < gpuOperations.length; operation++) {
    const site = siteOf[operation];
    const kind = site < 0 ? kinds : kindOf[site];
    const slice = gpuOperations.slice[operation];
    sums.workNs[kind] += durationNs[slice];
    sums.operations[kind]++;
    if (isAssumed(slice)) sums.assumed[kind]++;
    if (site < 0) continue;
    const launch = launchOf[operation];
    if (launch < 0 || isCounted[launch] === 1 || isCall[launch] === 0) continue;
    isCounted[launch] = 1;
    sums.launches[kindOf[launch]]++;
  }
  return sums;
}
