import {say, template} from '../base/say.js';
import {memoryOfDevices, type MemoryOfDevice} from '../figures/memory-events.js';
import {innermostRangeOfEvents} from '../figures/memory-ranges.js';
import {rowsOfKinds} from '../attribution/rows-of-kinds.js';
import {wholeTrace} from '../scope/report-scope.js';
import {stepsOf} from '../scope/steps.js';
import type {KnownLine} from '../source/known-lines.js';
import {kindIndex} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';
import {enclosingRanges, frameKinds, ProfileStacks} from './profile-stacks.js';
import type {DeviceEvents, MemorySnapshot, ProfileOfMemory, SnapshotNote} from './memory-snapshot.js';
import {profileEvents, timeUsOf} from './profile-events.js';
import {HistoryBlocks} from './history-blocks.js';
import {eventsOf} from './events-of.js';

/** Input for a profile's memory besides the trace. */
export interface BesideMemory {
  /** By row of `instants`; null if the profile has none. */
  readonly addresses: Float64Array | null;
  readonly lines: readonly KnownLine[];
}

/** The largest device number for which lists are allocated. */
const mostDevices = 1024;

/**
 * Returns the memory of a profile as a snapshot: its memory events are the history, and the ranges, operators, modules
 * and Python frames around them are the stacks. Null if it has no such events.
 *
 * @see docs/metrics.md#memory-snapshots
 */
export function profileSnapshot(trace: Trace, {addresses, lines}: BesideMemory): MemorySnapshot | null {
  const memories = memoryOfDevices({trace, scope: wholeTrace});
  if (memories.length === 0) return null;
  const rows = rowsOfKinds(trace, frameKinds);
  const stacks = new ProfileStacks(trace, rows, enclosingRanges(trace, rows), lines);
  const {slices} = trace;
  const ranges = {
    length: rows.length,
    // Start/end ranges extend across the stacks of threads.
    trackOf: (range: number) => (slices.kind[rows[range]] === kindIndex.nvtx_startend ? -1 : slices.track[rows[range]]),
    startNs: (range: number) => slices.startNs[rows[range]],
    endNs: (range: number) => slices.startNs[rows[range]] + slices.durationNs[rows[range]],
  };
  const blocks = new HistoryBlocks();
  const events: DeviceEvents[] = [];
  const deviceNames: string[] = [];
  let isGuessed = false;
  for (const {memory, device, name} of numbered(trace, memories)) {
    const innermost = innermostRangeOfEvents(trace, memory, ranges);
    const made = profileEvents(trace, memory, addresses, event => stacks.stackOf(innermost[event]));
    blocks.addLiveAtEnd(device, made.events, memory.level.at(-1) ?? 0);
    while (events.length < device) {
      deviceNames.push(`GPU ${String(events.length)}`);
      events.push(eventsOf({events}, -1));
    }
    events[device] = made.events;
    deviceNames[device] = name;
    isGuessed ||= made.isGuessed;
  }
  const profile = {
    deviceNames,
    steps: stepTimes(trace),
    notes: isGuessed ? [{...pairedNote, text: say(pairedNote.text)}] : [],
  };
  return {...stacks.finish(), texts: [], ...blocks.finish(), events, profile};
}

const pairedNote: SnapshotNote = {
  code: 'memory/paired-by-size',
  text: template(
    'The profile has no addresses. GPU Lens assumes that each free is one of the latest block of its size.',
  ),
};

/**
 * Numbers devices: GPUs keep their numbers; the CPU, and the same GPU in other processes, get the numbers after them.
 */
function numbered(
  {processes}: Trace,
  memories: readonly MemoryOfDevice[],
): {memory: MemoryOfDevice; device: number; name: string}[] {
  const taken = new Set<number>();
  const own: {memory: MemoryOfDevice; device: number}[] = [];
  const others: MemoryOfDevice[] = [];
  for (const memory of memories) {
    const {device} = memory;
    if (device < 0 || device >= mostDevices || taken.has(device)) others.push(memory);
    else own.push({memory, device: (taken.add(device), device)});
  }
  own.sort((a, b) => a.device - b.device);
  let next = (own.at(-1)?.device ?? -1) + 1;
  const ofMany = new Set(memories.map(({process}) => process)).size > 1;
  return [...own, ...others.map(memory => ({memory, device: next++}))].map(({memory, device}) => {
    const name = memory.device < 0 ? 'CPU' : `GPU ${String(memory.device)}`;
    const process = ofMany ? processes[memory.process] : undefined;
    return {memory, device, name: process ? `${name} of process ${process.pid}` : name};
  });
}

function stepTimes(trace: Trace): ProfileOfMemory['steps'] {
  return stepsOf(trace).map(({number, startNs, endNs}) => ({
    number,
    startUs: timeUsOf(trace, startNs),
    endUs: timeUsOf(trace, endNs),
  }));
}
