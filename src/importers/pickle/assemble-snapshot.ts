import type {
  DeviceEvents,
  MemoryBlocks,
  MemorySegments,
  MemorySnapshot,
} from '../../core/memory-snapshot/memory-snapshot.js';
import {GrowingColumn} from './growing-column.js';
import type {HeldMemory} from './held-memory.js';
import type {HeapList} from './heap-list.js';
import type {SnapshotHeap, TaggedValue} from './snapshot-heap.js';
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

function readSegments(
  heap: SnapshotHeap,
  list: HeapList | null,
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
  for (let i = 0; i < (list?.length ?? 0); i++) {
    const row = list?.rowAt(rowKinds.segment, i) ?? -1;
    if (row < 0) continue;
    segments.address.push(rows.segmentAddress.values[row]);
    segments.bytes.push(rows.segmentBytes.values[row]);
    segments.stack.push(rows.segmentStack.values[row]);
    const segment = segments.device.push(rows.segmentDevice.values[row]);
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
    let next = rows.segmentAddress.values[segmentRow];
    for (let i = 0; i < (blockList?.length ?? 0); i++) {
      const row = blockList?.rowAt(rowKinds.block, i) ?? -1;
      if (row < 0) continue;
      const bytes = rows.blockBytes.values[row];
      const requested = rows.requestedBytes.values[row];
      const address = rows.blockAddress.values[row];
      const place = Number.isNaN(address) ? next : amount(address);
      blocks.segment.push(segment);
      blocks.address.push(place);
      blocks.requestedBytes.push(Number.isNaN(requested) ? bytes : amount(requested));
      blocks.state.push(rows.state.values[row]);
      blocks.stack.push(rows.blockStack.values[row]);
      next = place + bytes;
    }
  }
}

function readTraces(heap: SnapshotHeap, list: HeapList | null, held: HeldMemory): DeviceEvents[] {
  const traces: DeviceEvents[] = [];
  for (let device = 0; device < Math.min(list?.length ?? 0, mostDevices); device++) {
    const item = list?.itemAt(device);
    traces.push(readTrace(heap, item ? heap.listOf(item.tag, item.value) : null, held));
  }
  return traces;
}

function readTrace({rows}: SnapshotHeap, list: HeapList | null, held: HeldMemory): DeviceEvents {
  const length = list?.length ?? 0;
  const first = list?.firstOfRun(rowKinds.event) ?? -1;
  const columns = {action: rows.action, address: rows.eventAddress, bytes: rows.eventBytes, stack: rows.eventStack};
  if (first >= 0) {
    const part = <Values extends Uint8Array | Int32Array | Float64Array>({values}: GrowingColumn<Values>) =>
      values.subarray(first, first + length) as Values;
    const {action, address, bytes, stack} = columns;
    return {length, action: part(action), address: part(address), bytes: part(bytes), stack: part(stack)};
  }
  const events = rowsIn(list, rowKinds.event, held);
  held.take(events.length * bytesPerEvent);
  return {
    length: events.length,
    action: Uint8Array.from(events, row => columns.action.values[row]),
    address: Float64Array.from(events, row => columns.address.values[row]),
    bytes: Float64Array.from(events, row => columns.bytes.values[row]),
    stack: Int32Array.from(events, row => columns.stack.values[row]),
  };
}

const bytesPerEvent = 1 + 8 + 8 + 4;

/** The rows of a kind in a list, in its order. */
function rowsIn(list: HeapList | null, kind: number, held: HeldMemory): Int32Array {
  const found = new GrowingColumn(new Int32Array(64), held);
  for (let i = 0; i < (list?.length ?? 0); i++) {
    const row = list?.rowAt(kind, i) ?? -1;
    if (row >= 0) found.push(row);
  }
  return found.filled();
}
