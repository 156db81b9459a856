import {say, template} from '../../core/base/say.js';
import {HistoryBlocks} from '../../core/memory-snapshot/history-blocks.js';
import {traceActions, type DeviceEvents, type MemorySnapshot} from '../../core/memory-snapshot/memory-snapshot.js';
import {pairedAddresses} from '../../core/memory-snapshot/paired-addresses.js';

/** Categories by PyTorch's number in these files: the order of `_CATEGORY_TO_COLORS` in `_memory_profiler.py`. */
export const timelineCategories = [
  'parameters',
  'optimizer state',
  'inputs',
  'temporary',
  'activations',
  'gradients',
  'autograd details',
  'unknown',
] as const;

/** Changes of memory in order of time; bytes are negative for freed memory. */
export interface TimelineChanges {
  /** µs since 1970; below 0 for memory allocated before the recording. */
  readonly timeUs: number[];
  readonly bytes: number[];
  /** Indices into `timelineCategories`. */
  readonly category: number[];
}

const alloc = traceActions.indexOf('alloc');
const free = traceActions.indexOf('free');

/**
 * Returns the changes as a history. A free is assigned to the latest block of its size and category, because the file
 * has no addresses.
 */
export function timelineSnapshot({timeUs, bytes, category}: TimelineChanges): MemorySnapshot {
  const changes = Float64Array.from(bytes);
  const keyOf = (event: number) => `${String(category[event])} ${String(Math.abs(changes[event]))}`;
  const {addresses} = pairedAddresses(changes, null, keyOf);
  const first = timeUs.reduce((least, time) => (time >= 0 && time < least ? time : least), Infinity);
  const events: DeviceEvents = {
    length: changes.length,
    action: Uint8Array.from(changes, change => (change > 0 ? alloc : change < 0 ? free : 0)),
    address: addresses,
    bytes: changes.map(Math.abs),
    stack: new Int32Array(changes.length).fill(-1),
    timeUs: Float64Array.from(timeUs, time => (time >= 0 ? time : first === Infinity ? Number.NaN : first)),
    stream: null,
    category: Int32Array.from(category),
    metadata: null,
    reservedBytes: new Float64Array(changes.length).fill(Number.NaN),
  };
  const blocks = new HistoryBlocks();
  blocks.addLiveAtEnd(0, events, 0);
  return {
    frames: {length: 0, names: [], files: [], lines: [], isNamed: null},
    stacks: {length: 0, parent: new Int32Array(0), frame: new Int32Array(0)},
    texts: timelineCategories,
    ...blocks.finish(),
    events: [events],
    profile: {deviceNames: ['Device'], steps: [], notes: [{...withoutLines, text: say(withoutLines.text)}]},
  };
}

const withoutLines = {
  code: 'memory/timeline',
  text: template(
    'A memory timeline contains sizes by category, but no lines or addresses. torch.cuda.memory._record_memory_history() records these.',
  ),
};
