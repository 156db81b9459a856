import {counted} from '../format/count.js';
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
 * One row per allocation that was live at some moment, in the order in which a replay from the end finds them.
 *
 *     row  address  bytes  stack  fromMoment  untilMoment
 *      0     4096    1024     7          0           51    live before the history, and at its end
 *      1     8192     512     9         12           15    live from event 11 until event 14
 *
 * It is live from the moment `fromMoment` until before `untilMoment`; `stack` is -1 if unknown.
 */
export interface Allocations {
  readonly length: number;
  readonly address: Float64Array;
  readonly bytes: Float64Array;
  readonly stack: Int32Array;
  readonly fromMoment: Int32Array;
  readonly untilMoment: Int32Array;
}

/** Allocations under construction; the columns have room for all. */
type Found = {-readonly [Column in keyof Allocations]: Allocations[Column]};

/** Returns the allocations of a device, and their bytes at every moment. */
export function replayAllocations(
  snapshot: MemorySnapshot,
  device: number,
): {allocations: Allocations; allocatedBytes: Float64Array; notes: SnapshotNote[]} {
  const events = eventsOf(snapshot, device);
  const frees = freeingActions(events);
  const rows = roomFor(snapshot.blocks.length + countOf(events, frees));
  const live = liveAtEnd(snapshot, device, events.length, rows);
  const notes = replayBackwards(events, frees, live, rows);
  return {allocations: rows, allocatedBytes: bytesByMoment(rows, events.length), notes};
}

function roomFor(most: number): Found {
  return {
    length: 0,
    address: new Float64Array(most),
    bytes: new Float64Array(most),
    stack: new Int32Array(most),
    fromMoment: new Int32Array(most),
    untilMoment: new Int32Array(most),
  };
}

function countOf({length, action}: DeviceEvents, actions: ReadonlySet<number>): number {
  let count = 0;
  for (let event = 0; event < length; event++) if (actions.has(action[event])) count++;
  return count;
}

/** Adds the blocks that are allocated at the end; returns their rows by address. */
function liveAtEnd({blocks}: MemorySnapshot, device: number, end: number, rows: Found): Map<number, number> {
  const live = new Map<number, number>();
  for (let block = 0; block < blocks.length; block++) {
    if (blocks.state[block] !== allocated || blocks.device[block] !== device) continue;
    const address = blocks.address[block];
    live.set(address, addRow(rows, address, blocks.requestedBytes[block], blocks.stack[block], end + 1));
  }
  return live;
}

function addRow(rows: Found, address: number, bytes: number, stack: number, untilMoment: number): number {
  const row = rows.length++;
  rows.address[row] = address;
  rows.bytes[row] = bytes;
  rows.stack[row] = stack;
  rows.untilMoment[row] = untilMoment;
  return row;
}

/** Walks from the last event to the first; `live` contains what is allocated after the current event. */
function replayBackwards(
  events: DeviceEvents,
  frees: ReadonlySet<number>,
  live: Map<number, number>,
  rows: Found,
): SnapshotNote[] {
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
      // A block freed here is live before; the stack of a free is not the allocation's.
      if (live.has(place)) twice++;
      else live.set(place, addRow(rows, place, bytes[event], -1, event + 1));
    }
  }
  return contradictions(withoutEnd, twice);
}

/**
 * Returns the actions that end an allocation. PyTorch no longer counts a block from the request to free it, although
 * the block may have to wait for another stream. A history without requests shows only when frees were completed.
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
      text: counted(
        withoutEnd,
        '{0} allocation is not counted because it is neither freed in the history nor live at its end.',
        '{0} allocations are not counted because they are neither freed in the history nor live at its end.',
      ),
    });
  }
  if (twice > 0) {
    notes.push({
      code: 'memory/freed-while-live',
      text: counted(
        twice,
        '{0} free is not counted because its address is in use afterwards without a new allocation.',
        '{0} frees are not counted because their addresses are in use afterwards without a new allocation.',
      ),
    });
  }
  return notes;
}

function bytesByMoment({length, bytes, fromMoment, untilMoment}: Allocations, eventCount: number): Float64Array {
  // First contains changes, then their sums in place.
  const moments = new Float64Array(eventCount + 2);
  for (let i = 0; i < length; i++) {
    moments[fromMoment[i]] += bytes[i];
    moments[untilMoment[i]] -= bytes[i];
  }
  for (let moment = 1; moment <= eventCount; moment++) moments[moment] += moments[moment - 1];
  return moments.subarray(0, eventCount + 1);
}
