import type {Attribution} from '../attribution/attribute.js';
import type {Chosen} from '../attribution/chosen.js';
import type {Selection} from '../scope/selection.js';
import {memoryOfDevices, type MemoryOfDevice} from '../figures/memory-events.js';
import {innermostRangeOfEvents} from '../figures/memory-ranges.js';
import {kindIndex} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';
import {blockNames, type BlockNaming} from './block-names.js';
import {FlameSamplesBuilder, type FlameSamples} from './flame-samples.js';
import type {FlameTreeBuilder} from './flame-tree.js';

/** Which allocations are wanted. */
export interface MemorySampleQuery {
  readonly chosen: Chosen;
  readonly selection: Selection;
  readonly naming: BlockNaming;
}

/** One allocation, with the innermost range around it, -1 for none. */
interface Allocation {
  readonly atNs: number;
  readonly bytes: number;
  readonly range: number;
}

/**
 * Returns a sample per allocation, in the order of time, weighted by its bytes, in the innermost range that was open on
 * its thread. Frees do not count, because they free what was allocated before.
 *
 * Covers all GPUs, or the selected one; if no GPU memory is recorded, the host's memory.
 *
 * @param attribution the attribution whose ranges are the blocks
 * @throws TraceError `trace/too-many-open-ranges`
 * @see docs/metrics.md#flame
 */
export function memorySamples(
  trace: Trace,
  {ranges}: Attribution,
  {chosen, selection, naming}: MemorySampleQuery,
  tree: FlameTreeBuilder,
): FlameSamples {
  const {slices} = trace;
  const textOf = blockNames(trace, naming);
  const nodeOf = new Int32Array(ranges.slice.length).fill(-1);
  const chain: number[] = [];
  const outside = tree.name('(outside any range)');
  // A step, a range, a process or a thread selects allocations by the range that is open.
  const {step, range: within, process, track, device} = selection;
  const hasOutside = [step, within, process, track].every(member => member === undefined);
  const found = memories(trace, chosen, device).flatMap(memory => allocations(trace, memory, ranges.slice));
  found.sort((a, b) => a.atNs - b.atNs);
  const samples = new FlameSamplesBuilder(found.length);
  for (const {atNs, bytes, range} of found) {
    const slice = range < 0 ? -1 : ranges.slice[range];
    if (slice < 0 ? !hasOutside : chosen.isSliceChosen?.(slice) === false) continue;
    const node = range < 0 ? tree.child(0, outside, 'bucket') : placeOf(range);
    samples.add(node, bytes, atNs, atNs, {device: -1, slice, range});
  }
  return samples.finish();

  // A loop, not recursion: a file may nest ranges deeper than the call stack allows.
  function placeOf(range: number): number {
    chain.length = 0;
    let at = range;
    for (; at >= 0 && nodeOf[at] < 0; at = ranges.parent[at]) chain.push(at);
    let node = at < 0 ? 0 : nodeOf[at];
    for (let i = chain.length - 1; i >= 0; i--) {
      const row = ranges.slice[chain[i]];
      const kind = slices.kind[row] === kindIndex.cpu_op ? 'operator' : 'range';
      node = tree.child(node, tree.name(textOf(row)), kind, naming.isInTimeOrder ? chain[i] : -1);
      nodeOf[chain[i]] = node;
    }
    return node;
  }
}

function memories(trace: Trace, {fromNs, toNs}: Chosen, device: number | undefined): MemoryOfDevice[] {
  const found = memoryOfDevices({trace, scope: {fromNs, toNs, device: device ?? null}});
  const ofGpus = found.filter(memory => memory.device >= 0);
  return ofGpus.length > 0 ? ofGpus : found;
}

function allocations(trace: Trace, memory: MemoryOfDevice, rows: Int32Array): Allocation[] {
  const {slices} = trace;
  const innermost = innermostRangeOfEvents(trace, memory, {
    length: rows.length,
    trackOf: range => (slices.kind[rows[range]] === kindIndex.nvtx_startend ? -1 : slices.track[rows[range]]),
    startNs: range => slices.startNs[rows[range]],
    endNs: range => slices.startNs[rows[range]] + slices.durationNs[rows[range]],
  });
  const found: Allocation[] = [];
  innermost.forEach((range, event) => {
    const {[event]: bytes} = memory.bytes;
    if (bytes > 0) found.push({atNs: memory.atNs[event], bytes, range});
  });
  return found;
}
