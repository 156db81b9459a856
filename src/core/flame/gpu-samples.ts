import type {Attribution} from '../attribution/attribute.js';
import type {Chosen} from '../attribution/chosen.js';
import {isBackwardSite} from '../attribution/credit.js';
import {displayName} from '../names/slice-name.js';
import type {Trace} from '../trace/trace.js';
import type {BlockNaming} from './block-names.js';
import type {FlameLevel, FlamePass, FlameWeight} from './flame-graph.js';
import {FlameSamplesBuilder, noSource, type FlameSamples} from './flame-samples.js';
import type {FlameTreeBuilder} from './flame-tree.js';
import {IdleTimes, type IdleTime} from './idle-times.js';
import {launchStacks} from './launch-stacks.js';

/** Which GPU operations are wanted. */
export interface GpuSampleQuery {
  readonly weight: Exclude<FlameWeight, 'cpu' | 'memory'>;
  readonly pass: FlamePass;
  readonly levels: ReadonlySet<FlameLevel>;
  readonly chosen: Chosen;
  /** Whether the time between operations in which their device was idle is a block, too. */
  readonly hasIdle: boolean;
  readonly naming: BlockNaming;
}

/**
 * Returns a sample per chosen GPU operation, in the order of start, and the blocks above them.
 *
 * For GPU busy time, each moment counts for the operation that began first, so that samples add up to the union per
 * device. A launching call counts for the first operation that it launched.
 */
export function gpuSamples(
  trace: Trace,
  attribution: Attribution,
  query: GpuSampleQuery,
  tree: FlameTreeBuilder,
): FlameSamples {
  const {slices, gpuOperations, devices, strings} = trace;
  const {weight, pass, levels, chosen, hasIdle, naming} = query;
  const {credit} = attribution;
  const {siteOf, launchOf, isCall} = attribution.sites;
  // One object, reused for all rows.
  const of = {device: -1, slice: -1, range: -1};
  const {operations, fromNs, toNs} = chosen;
  const stacks = launchStacks(trace, attribution, levels, tree, naming);
  const isOfPass = passTest(attribution, pass);
  const samples = new FlameSamplesBuilder(gpuOperations.length);
  const indexOfDevice = new Map(devices.map(({id}, index) => [id, index]));
  const coveredToNs = new Float64Array(Math.max(1, devices.length)).fill(NaN);
  const isCounted = new Uint8Array(isCall.length);
  const nameOf = new Int32Array(strings.length).fill(-1);
  /** Name → the block above its last operation, and that operation's block: most operations repeat them. */
  const last = {place: new Int32Array(strings.length).fill(-1), leaf: new Int32Array(strings.length)};
  const idle = hasIdle ? tree.name('(idle)') : -1;
  const idleTimes = new IdleTimes(coveredToNs.length);
  for (let operation = 0; operation < gpuOperations.length; operation++) {
    const site = siteOf[operation];
    const isChosen = operations?.[operation] !== 0 && isOfPass(site);
    if (!isChosen && !hasIdle) continue;
    const slice = gpuOperations.slice[operation];
    const startNs = Math.max(fromNs, slices.startNs[slice]);
    const endNs = Math.max(startNs, Math.min(toNs, slices.startNs[slice] + slices.durationNs[slice]));
    const device = indexOfDevice.get(gpuOperations.device[operation]) ?? 0;
    if (hasIdle) addIdle(idleTimes.add(device, startNs, endNs, isChosen));
    if (!isChosen) continue;
    const coveredNs = coveredToNs[device];
    if (!(endNs <= coveredNs)) coveredToNs[device] = endNs;
    const own = weigh(operation, startNs, endNs, coveredNs);
    of.device = device;
    of.slice = slice;
    of.range = site < 0 ? -1 : Math.max(-1, credit.range[site]);
    samples.add(leafOf(operation, slice), own, startNs, endNs, of);
  }
  return samples.finish();

  function addIdle(times: readonly IdleTime[]): void {
    for (const time of times) {
      samples.add(tree.child(0, idle, 'idle'), time.toNs - time.fromNs, time.fromNs, time.toNs, noSource);
    }
  }

  function weigh(operation: number, startNs: number, endNs: number, coveredNs: number): number {
    switch (weight) {
      case 'gpu-work':
        return endNs - startNs;
      case 'gpu-busy':
        return Number.isNaN(coveredNs) ? endNs - startNs : Math.max(0, endNs - Math.max(startNs, coveredNs));
      case 'bytes':
        return Math.max(0, gpuOperations.bytes[operation]) || 0;
      case 'launches': {
        const launch = launchOf[operation];
        const isFirst = launch >= 0 && isCall[launch] === 1 && isCounted[launch] === 0;
        if (isFirst) isCounted[launch] = 1;
        return isFirst ? 1 : 0;
      }
    }
  }

  function leafOf(operation: number, slice: number): number {
    const place = stacks.placeOf(operation);
    if (!levels.has('operations')) return place;
    const name = slices.name[slice];
    if (last.place[name] === place && !naming.isInTimeOrder) return last.leaf[name];
    if (nameOf[name] < 0) nameOf[name] = tree.name(displayName(strings.get(name)));
    last.place[name] = place;
    return (last.leaf[name] = tree.child(place, nameOf[name], 'operation'));
  }
}

/** Returns a test of whether launches at a site count. The pass of work without a launching call is unknown. */
function passTest({credit}: Attribution, pass: FlamePass): (site: number) => boolean {
  if (pass === 'all') return () => true;
  return site => site >= 0 && isBackwardSite(credit, site) === (pass === 'backward');
}
