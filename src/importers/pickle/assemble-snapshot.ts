import type {
  DeviceEvents,
  MemoryBlocks,
  MemorySegments,
  MemorySnapshot,
} from '../../core/memory-snapshot/memory-snapshot.js';
import {GrowingColumn} from './growing-column.js';
import type {HeldMemory} from './held-memory.js';
import type {PlainList, SnapshotHeap, TaggedValue} from './snapshot-heap.js';
import {tag} from './pickle-value.js';
import {rowKinds} from './snapshot-rows.js';

/** No machine has more GPUs; a list that says so repeats itself. */
const mostDevices = 1024;

/** Makes the model of a pickle's plain data; null where they are no snapshot. */
export function assembleSnapshot(heap: SnapshotHeap, root: TaggedValue, held: HeldMemory): MemorySnapshot | null {
  const segmentsItem = heap.itemOf(root.tag, root.value, 'segments');
  const tracesItem = heap.itemOf(root.tag, root.value, 'device_traces');
  if (!segmentsItem && !tracesItem) return null;
  const segmentList = segmentsItem && heap.listOf(segmentsItem.tag, segmentsItem.value);
  const traceList = tracesItem && heap.listOf(tracesItem.tag, tracesItem.value);
  const {segments, blocks} = readSegments(heap, segmentList, held);
  return {...heap.finish(), segments, blocks, events: readTraces(heap, traceList, held)};
}

/** A number of bytes or an address: what is none counts as 0. */
function amount(value: number): number {
  return value >= 0 && value <= Number.MAX_SAFE_INTEGER ? value : 0;
}

function stackAt(column: GrowingColumn<Float64Array>, row: number): number {
  const stack = column.values[row];
  return stack >= 0 ? stack : -1;
}

function readSegments(
  heap: SnapshotHeap,
  list: PlainList | null,
  held: HeldMemory,
): {segments: MemorySegments; blocks: MemoryBlocks} {
  const ints = () => new GrowingColumn(new Int32Array(64), held);
  const floats = () => new GrowingColumn(new Float64Array(64), held);
  const segments = {device: ints(), address: floats(), bytes: floats(), stack: ints()};
  const blocks = {
    segment: ints(),
    address: floats(),
    requestedBytes: floats(),
    state: new GrowingColumn(new Uint8Array(64), held),
    stack: ints(),
  };
  const {rows} = heap;
  for (let i = 0; i < (list?.tags.length ?? 0); i++) {
    const row = rowIn(heap, rowKinds.segment, list, i);
    if (row < 0) continue;
    segments.address.push(amount(rows.segmentAddress.values[row]));
    segments.bytes.push(amount(rows.segmentBytes.values[row]));
    segments.stack.push(stackAt(rows.segmentStack, row));
    const segment = segments.device.push(amount(rows.segmentDevice.values[row]));
    readBlocks(segment, row);
  }
  return {
    segments: {
      length: segments.device.length,
      device: segments.device.filled(),
      address: segments.address.filled(),
      bytes: segments.bytes.filled(),
      stack: segments.stack.filled(),
    },
    blocks: {
      length: blocks.segment.length,
      segment: blocks.segment.filled(),
      address: blocks.address.filled(),
      requestedBytes: blocks.requestedBytes.filled(),
      state: blocks.state.filled(),
      stack: blocks.stack.filled(),
    },
  };

  function readBlocks(segment: number, segmentRow: number): void {
    const blockList = heap.listOf(tag.list, rows.segmentBlocks.values[segmentRow]);
    // Where blocks have no address, they follow each other from the segment's beginning.
    let next = amount(rows.segmentAddress.values[segmentRow]);
    for (let i = 0; i < (blockList?.tags.length ?? 0); i++) {
      const row = rowIn(heap, rowKinds.block, blockList, i);
      if (row < 0) continue;
      const bytes = amount(rows.blockBytes.values[row]);
      const requested = rows.requestedBytes.values[row];
      const address = rows.blockAddress.values[row];
      const place = Number.isNaN(address) ? next : amount(address);
      blocks.segment.push(segment);
      blocks.address.push(place);
      blocks.requestedBytes.push(Number.isNaN(requested) ? bytes : amount(requested));
      blocks.state.push(rows.state.values[row]);
      blocks.stack.push(stackAt(rows.blockStack, row));
      next = place + bytes;
    }
  }
}

function readTraces(heap: SnapshotHeap, list: PlainList | null, held: HeldMemory): DeviceEvents[] {
  const traces: DeviceEvents[] = [];
  for (let device = 0; device < Math.min(list?.tags.length ?? 0, mostDevices); device++) {
    traces.push(readTrace(heap, heap.listOf(list?.tags.values[device] ?? 0, list?.values.values[device] ?? 0), held));
  }
  return traces;
}

function readTrace(heap: SnapshotHeap, list: PlainList | null, held: HeldMemory): DeviceEvents {
  const {rows} = heap;
  const count = list?.tags.length ?? 0;
  held.take(count * bytesPerEvent);
  const action = new Uint8Array(count);
  const address = new Float64Array(count);
  const bytes = new Float64Array(count);
  const stack = new Int32Array(count);
  let length = 0;
  for (let i = 0; i < count; i++) {
    const row = rowIn(heap, rowKinds.event, list, i);
    if (row < 0) continue;
    action[length] = rows.action.values[row];
    address[length] = amount(rows.eventAddress.values[row]);
    bytes[length] = amount(rows.eventBytes.values[row]);
    stack[length++] = stackAt(rows.eventStack, row);
  }
  return {
    length,
    action: action.subarray(0, length),
    address: address.subarray(0, length),
    bytes: bytes.subarray(0, length),
    stack: stack.subarray(0, length),
  };
}

const bytesPerEvent = 1 + 8 + 8 + 4;

function rowIn(heap: SnapshotHeap, kind: number, list: PlainList | null, i: number): number {
  return list ? heap.rowOf(kind, list.tags.values[i], list.values.values[i]) : -1;
}
