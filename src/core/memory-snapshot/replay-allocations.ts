import {eventsOf} from './events-of.js';
import {
  blockStates,
  traceActions,
  type DeviceEvents,
  type MemorySnapshot,
  type SnapshotNote,
} from './memory-snapshot.js';

const alloc = traceActions.indexOf('alloc');
const freeRequested = traceActions.indexOf('free_requested');
const freeCompleted = traceActions.indexOf('free_completed');
const free = traceActions.indexOf('free');
const allocated = blockStates.indexOf('active_allocated');

/**
 * One row per allocation that was live at some moment, in the order in which a replay from the end meets them.
 *
 *     row  address  bytes  stack  fromMoment  untilMoment
 *      0     4096    1024     7          0           51    live before the history, and at its end
 *      1     8192     512     9         12           15    live from event 11 until event 14
 *
 * It is live at the moments from `fromMoment` and before `untilMoment`; `stack` is -1 where nothing tells it.
 */
export interface Allocations {
  readonly length: number;
  readonly address: readonly number[];
  readonly bytes: readonly number[];
  readonly stack: readonly number[];
  readonly fromMoment: readonly number[];
  readonly untilMoment: readonly number[];
}

interface Columns {
  address: number[];
  bytes: number[];
  stack: number[];
  fromMoment: number[];
  untilMoment: number[];
}

/** The allocations of a device, and their bytes at every moment. */
export function replayAllocations(
  snapshot: MemorySnapshot,
  device: number,
): {allocations: Allocations; allocatedBytes: Float64Array; notes: SnapshotNote[]} {
  const events = eventsOf(snapshot, device);
  const rows: Columns = {address: [], bytes: [], stack: [], fromMoment: [], untilMoment: []};
  const live = liveAtEnd(snapshot, device, events.length, rows);
  const notes = replayBackwards(events, live, rows);
  const allocations = {length: rows.address.length, ...rows};
  return {allocations, allocatedBytes: bytesByMoment(allocations, events.length), notes};
}

/** Adds the blocks that are allocated at the end; returns their rows by address. */
function liveAtEnd(
  {blocks, segments}: MemorySnapshot,
  device: number,
  end: number,
  rows: Columns,
): Map<number, number> {
  const live = new Map<number, number>();
  for (let block = 0; block < blocks.length; block++) {
    if (blocks.state[block] !== allocated || segments.device[blocks.segment[block]] !== device) continue;
    const address = blocks.address[block];
    live.set(address, addRow(rows, address, blocks.requestedBytes[block], blocks.stack[block], end + 1));
  }
  return live;
}

function addRow(rows: Columns, address: number, bytes: number, stack: number, untilMoment: number): number {
  rows.bytes.push(bytes);
  rows.stack.push(stack);
  rows.fromMoment.push(0);
  rows.untilMoment.push(untilMoment);
  return rows.address.push(address) - 1;
}

/** Walks from the last event to the first; `live` is what is allocated after the event that comes next. */
function replayBackwards(events: DeviceEvents, live: Map<number, number>, rows: Columns): SnapshotNote[] {
  const frees = freeingActions(events);
  const {action, address, bytes, stack} = events;
  let withoutEnd = 0;
  let twice = 0;
  for (let event = events.length - 1; event >= 0; event--) {
    const place = address[event];
    if (action[event] === alloc) {
      const row = live.get(place);
      if (row === undefined) {
        withoutEnd++;
        continue;
      }
      live.delete(place);
      rows.fromMoment[row] = event + 1;
      if (rows.stack[row] < 0) rows.stack[row] = stack[event];
    } else if (frees.has(action[event])) {
      // What is freed here is live before; the stack of a free does not tell who allocated it.
      if (live.has(place)) twice++;
      else live.set(place, addRow(rows, place, bytes[event], -1, event + 1));
    }
  }
  return contradictions(withoutEnd, twice);
}

/**
 * The actions that end an allocation. PyTorch no longer counts a block from the request on, though it may have to wait
 * for another stream; a history that was recorded without requests tells only when frees were completed.
 */
function freeingActions({length, action}: DeviceEvents): ReadonlySet<number> {
  for (let event = 0; event < length; event++)
    if (action[event] === freeRequested) return new Set([freeRequested, free]);
  return new Set([freeCompleted, free]);
}

function contradictions(withoutEnd: number, twice: number): SnapshotNote[] {
  const notes: SnapshotNote[] = [];
  if (withoutEnd > 0) {
    notes.push({
      code: 'memory/allocation-without-end',
      text: `${String(withoutEnd)} allocations are neither freed in the history nor live at its end: they are not counted.`,
    });
  }
  if (twice > 0) {
    notes.push({
      code: 'memory/freed-while-live',
      text: `${String(twice)} frees are of addresses that are allocated afterwards without an allocation: they are not counted.`,
    });
  }
  return notes;
}

function bytesByMoment({length, bytes, fromMoment, untilMoment}: Allocations, eventCount: number): Float64Array {
  const change = new Float64Array(eventCount + 2);
  for (let i = 0; i < length; i++) {
    change[fromMoment[i]] += bytes[i];
    change[untilMoment[i]] -= bytes[i];
  }
  const allocatedBytes = new Float64Array(eventCount + 1);
  let sum = 0;
  for (let moment = 0; moment <= eventCount; moment++) allocatedBytes[moment] = sum += change[moment];
  return allocatedBytes;
}
