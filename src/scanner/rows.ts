/**
 * Makes rows of the trace's tables from scanned events; these are the functions that JavaScript calls. A separate
 * program from the scanner, which may run in another thread. `src/importers/kineto/event-rows.ts` makes the same rows,
 * and serves as the reference in tests.
 */
import {
  familyOf,
  isModule,
  isOnGpu,
  isReadFlow,
  kindOf,
  kindOfModules,
  nameOf,
  tableOf,
  trackOf,
  unknown,
} from './meanings';
import * as events from './event-columns';
import {begin, complete, end, flowStart, isFlow} from './phases';

export {keepCategory, keepFlowCategory, keepKind, keepName, keepTrack} from './meanings';

const absent: i32 = -1;
const noSlice: i32 = -1;

/** 78 hours: see event-clock.ts. */
const farthestNs: f64 = 281474976710656;

/** The further table in which a slice has a row. */
const gpuOperationTable: i32 = 1;
const apiCallTable: i32 = 2;
const operatorTable: i32 = 3;

/** Bytes of a column of doubles; a column of integers takes half. */
let wide: usize = 0;

/** Where the columns of the events begin; JavaScript fills them. */
export let eventsAt: usize = 0;
// The tables of rows, by the schemas in fast-event-rows.ts.
export let slicesAt: usize = 0;
export let gpuOperationsAt: usize = 0;
export let apiCallsAt: usize = 0;
export let operatorsAt: usize = 0;
export let flowStartsAt: usize = 0;
export let flowEndsAt: usize = 0;
/** Beginnings and ends that are separate events, in order. */
export let edgesAt: usize = 0;
/** Slices without the duration that they should have. */
export let endlessAt: usize = 0;

export let sliceCount: usize = 0;
export let gpuOperationCount: usize = 0;
export let apiCallCount: usize = 0;
export let operatorCount: usize = 0;
export let flowStartCount: usize = 0;
export let flowEndCount: usize = 0;
export let edgeCount: usize = 0;
export let endlessCount: usize = 0;

// Counts over all batches.
/** Slices by kind. */
export const countsAt: usize = memory.data(4 * 256, 4);
export let untimed: u32 = 0;
export let negative: u32 = 0;
export let flows: u32 = 0;

let baseUs: f64 = 0;
let otherKind: i32 = 0;

/** Allocates the columns of `capacity` events and as many rows; times count from `baseUs`. */
export function start(capacity: usize, base: f64, kindOfNone: i32): void {
  baseUs = base;
  otherKind = kindOfNone;
  wide = capacity * sizeof<f64>();
  eventsAt = events.allocateEvents(capacity);
  events.selectEvents(eventsAt, capacity);
  slicesAt = heap.alloc(3 * wide + 2 * capacity * sizeof<i32>() + capacity);
  gpuOperationsAt = heap.alloc(5 * wide + capacity * sizeof<i32>());
  apiCallsAt = heap.alloc(wide + capacity * sizeof<i32>());
  operatorsAt = heap.alloc(3 * wide + capacity * sizeof<i32>());
  flowStartsAt = heap.alloc(4 * wide);
  flowEndsAt = heap.alloc(4 * wide);
  edgesAt = heap.alloc(2 * wide);
  endlessAt = heap.alloc(wide >> 1);
}

/** Drops the rows, which have been taken. */
export function clearRows(): void {
  sliceCount = gpuOperationCount = apiCallCount = operatorCount = flowStartCount = flowEndCount = edgeCount = 0;
  endlessCount = 0;
}

/**
 * Makes rows of the events `from` to `to`. Returns the first event that is neither slice nor flow, or that needs an
 * unknown meaning; else `to`. The first row made since `clearRows` is slice `firstSlice`.
 */
export function makeRows(from: usize, to: usize, firstSlice: i32): usize {
  for (let row = from; row < to; row++) {
    const phase = <i32>load<u8>(events.phase + row);
    if (phase == complete) {
      if (!makeSlice(row, firstSlice, false)) return row;
    } else if (phase == begin) {
      if (!makeSlice(row, firstSlice, true)) return row;
    } else if (phase == end) {
      if (!makeEnd(row)) return row;
    } else if (isFlow(phase)) {
      if (!makeFlow(row, phase == flowStart)) return row;
    } else return row;
  }
  return to;
}

/** Epoch ns do not fit a double: the base is subtracted before scaling. */
function startNsOf(row: usize): f64 {
  const us = load<f64>(events.startUs + (row << 3));
  return (us - baseUs) * 1000 + <f64>load<i32>(events.startThousandths + (row << 2));
}

/** The duration of a beginning is ignored: the end event decides. */
function makeSlice(row: usize, firstSlice: i32, isBegin: bool): bool {
  const startNs = startNsOf(row);
  const ns = isBegin ? 0 : load<f64>(events.durationNs + (row << 3));
  if (!(abs(startNs) <= farthestNs) || abs(ns) > farthestNs) {
    untimed++;
    return true;
  }
  const text = load<i32>(events.name + (row << 2));
  const category = load<i32>(events.category + (row << 2));
  const name = text == absent ? 0 : nameOf(text);
  let kind = category == absent ? otherKind : kindOf(category);
  if (name == unknown || kind == unknown) return false;
  if (text != absent && isModule(text)) kind = kindOfModules(kind);
  let place = load<f64>(events.pid + (row << 3));
  let lane = load<f64>(events.tid + (row << 3));
  if (isOnGpu(kind)) {
    const device = load<f64>(events.device + (row << 3));
    const stream = load<f64>(events.stream + (row << 3));
    if (device != absent) place = device;
    else if (place < 0) return false;
    if (stream != absent) lane = stream;
    else if (lane < 0) return false;
  }
  const track = trackOf(familyOf(kind), place, lane);
  if (track == unknown) return false;
  const thread = isBegin ? threadOf(row) : unknown;
  if (isBegin && thread == unknown) return false;
  if (ns < 0) negative++;
  const count = countsAt + ((<usize>kind) << 2);
  store<u32>(count, load<u32>(count) + 1);
  const slice = firstSlice + <i32>addSlice(row, startNs, ns > 0 ? ns : 0, name, track, kind);
  if (isBegin) addEdge(thread, slice, startNs);
  if (isNaN(ns)) store<i32>(endlessAt + (endlessCount++ << 2), slice);
  const table = tableOf(kind);
  if (table == operatorTable) addOperator(row, slice);
  else if (table == apiCallTable) addApiCall(row, slice);
  else if (table == gpuOperationTable) addGpuOperation(row, slice, place, lane);
  return true;
}

/** Adds the end of a slice that began on its thread; a time far from all others counts as none. */
function makeEnd(row: usize): bool {
  const thread = threadOf(row);
  if (thread == unknown) return false;
  const endNs = startNsOf(row);
  addEdge(thread, noSlice, abs(endNs) <= farthestNs ? endNs : NaN);
  return true;
}

function threadOf(row: usize): i32 {
  return trackOf(familyOf(otherKind), load<f64>(events.pid + (row << 3)), load<f64>(events.tid + (row << 3)));
}

function addEdge(thread: i32, slice: i32, atNs: f64): void {
  const index = edgeCount++;
  store<f64>(edgesAt + (index << 3), atNs);
  store<i32>(edgesAt + wide + (index << 2), thread);
  store<i32>(edgesAt + wide + (wide >> 1) + (index << 2), slice);
}

function addSlice(row: usize, startNs: f64, durationNs: f64, name: i32, track: i32, kind: i32): usize {
  const slice = sliceCount++;
  const at = slicesAt + (slice << 3);
  store<f64>(at, startNs);
  store<f64>(at + wide, durationNs);
  store<f64>(at + 2 * wide, load<f64>(events.offset + (row << 3)));
  const narrow = slicesAt + 3 * wide + (slice << 2);
  store<i32>(narrow, name);
  store<i32>(narrow + (wide >> 1), track);
  store<u8>(slicesAt + 4 * wide + slice, <u8>kind);
  return slice;
}

function addOperator(row: usize, slice: i32): void {
  const externalId = load<f64>(events.externalId + (row << 3));
  const sequence = load<f64>(events.sequence + (row << 3));
  if (externalId == absent && sequence == absent) return;
  const index = operatorCount++;
  const at = operatorsAt + (index << 3);
  store<f64>(at, externalId);
  store<f64>(at + wide, sequence);
  store<f64>(at + 2 * wide, load<f64>(events.forwardThread + (row << 3)));
  store<i32>(operatorsAt + 3 * wide + (index << 2), slice);
}

function addApiCall(row: usize, slice: i32): void {
  const index = apiCallCount++;
  store<f64>(apiCallsAt + (index << 3), load<f64>(events.correlation + (row << 3)));
  store<i32>(apiCallsAt + wide + (index << 2), slice);
}

function addGpuOperation(row: usize, slice: i32, device: f64, stream: f64): void {
  const index = gpuOperationCount++;
  const at = gpuOperationsAt + (index << 3);
  store<f64>(at, device);
  store<f64>(at + wide, stream);
  store<f64>(at + 2 * wide, load<f64>(events.correlation + (row << 3)));
  store<f64>(at + 3 * wide, load<f64>(events.externalId + (row << 3)));
  store<f64>(at + 4 * wide, load<f64>(events.bytes + (row << 3)));
  store<i32>(gpuOperationsAt + 5 * wide + (index << 2), slice);
}

/** Ids of fwdbwd and ac2g flows collide, and only those of `fwdbwd` contain new information. */
function makeFlow(row: usize, isStart: bool): bool {
  const category = load<i32>(events.category + (row << 2));
  const isRead = category == absent ? 0 : isReadFlow(category);
  if (isRead == unknown) return false;
  flows++;
  const id = load<f64>(events.id + (row << 3));
  if (isRead == 0 || id == absent) return true;
  const atNs = startNsOf(row);
  if (!(abs(atNs) <= farthestNs)) return true;
  const at = isStart ? flowStartsAt + (flowStartCount++ << 3) : flowEndsAt + (flowEndCount++ << 3);
  store<f64>(at, id);
  store<f64>(at + wide, load<f64>(events.pid + (row << 3)));
  store<f64>(at + 2 * wide, load<f64>(events.tid + (row << 3)));
  store<f64>(at + 3 * wide, atNs);
  return true;
}
