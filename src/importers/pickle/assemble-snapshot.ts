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
import type {RowColumn} from './row-column.js';
import {rowKinds} from './snapshot-rows.js';

/** No machine has more GPUs; a longer list repeats itself. */
const mostDevices = 1024;

/** Builds the snapshot from a pickle's plain data; null if the data is not a snapshot. */
export function assembleSnapshot(heap: SnapshotHeap, root: TaggedValue, held: HeldMemory): MemorySnapshot | null {
  const segmentsItem = segmentsAlone(heap, root) ?? heap.itemOf(root.tag, root.value, 'segments');
  const tracesItem = heap.itemOf(root.tag, root.value, 'device_traces');
  if (!segmentsItem && !tracesItem) return null;
  const segmentList = segmentsItem && heap.listOf(segmentsItem.tag, segmentsItem.value);
  const traceList = tracesItem && heap.listOf(tracesItem.tag, tracesItem.value);
  const {segments, blocks} = readSegments(heap, segmentList, held);
  const events = readTraces(heap, traceList, held);
  return {...heap.finish(), texts: heap.texts.texts, segments, blocks, events, profile: null};
}

/** Returns the pickle itself if it is a list of segments, as `torch.cuda.memory_snapshot()` returns. */
function segmentsAlone(heap: SnapshotHeap, root: TaggedValue): TaggedValue | null {
  const list = heap.listOf(root.tag, root.value);
  return list && list.rowAt(rowKinds.segment, 0) >= 0 ? root : null;
}

/** Returns a number of bytes or an address; 0 for any other value. */
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
  const flags = () => new GrowingColumn(new Uint8Array(64), held);
  const segments = {
    device: ints(),
    address: floats(),
    bytes: floats(),
    stack: ints(),
    stream: floats(),
    isExpandable: flags(),
  };
  const blocks = {
    device: ints(),
    segment: ints(),
    address: floats(),
    bytes: floats(),
    requestedBytes: floats(),
    state: flags(),
    stack: ints(),
  };
  const {rows} = heap;
  for (let i = 0; i < (list?.length ?? 0); i++) {
    const row = list?.rowAt(rowKinds.segment, i) ?? -1;
    if (row < 0) continue;
    segments.address.push(rows.segmentAddress.at(row));
    segments.bytes.push(rows.segmentBytes.at(row));
    segments.stack.push(rows.segmentStack.at(row));
    segments.stream.push(rows.segmentStream.at(row));
    segments.isExpandable.push(rows.isExpandable.at(row));
    const segment = segments.device.push(rows.segmentDevice.at(row));
    readBlocks(segment, row);
  }
  return {
    segments: {
      length: segments.device.length,
      device: segments.device.filled(),
      address: segments.address.filled(),
      bytes: segments.bytes.filled(),
      stack: segments.stack.filled(),
      stream: segments.stream.filled(),
      isExpandable: segments.isExpandable.filled(),
    },
    blocks: {
      length: blocks.segment.length,
      device: blocks.device.filled(),
      segment: blocks.segment.filled(),
      address: blocks.address.filled(),
      bytes: blocks.bytes.filled(),
      requestedBytes: blocks.requestedBytes.filled(),
      state: blocks.state.filled(),
      stack: blocks.stack.filled(),
    },
  };

  function readBlocks(segment: number, segmentRow: number): void {
    const blockList = heap.listOf(tag.list, rows.segmentBlocks.at(segmentRow));
    // Blocks without an address follow each other from the segment's beginning.
    let next = rows.segmentAddress.at(segmentRow);
    for (let i = 0; i < (blockList?.length ?? 0); i++) {
      const row = blockList?.rowAt(rowKinds.block, i) ?? -1;
      if (row < 0) continue;
      const bytes = rows.blockBytes.at(row);
      const requested = rows.requestedBytes.at(row);
      const address = rows.blockAddress.at(row);
      const place = Number.isNaN(address) ? next : amount(address);
      blocks.device.push(rows.segmentDevice.at(segmentRow));
      blocks.segment.push(segment);
      blocks.address.push(place);
      blocks.bytes.push(bytes);
      blocks.requestedBytes.push(Number.isNaN(requested) ? bytes : amount(requested));
      blocks.state.push(rows.state.at(row));
      blocks.stack.push(rows.blockStack.at(row));
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
  if (first >= 0) {
    const to = first + length;
    return {
      length,
      action: rows.action.filledPart(first, to),
      address: rows.eventAddress.filledPart(first, to),
      bytes: rows.eventBytes.filledPart(first, to),
      stack: rows.eventStack.filledPart(first, to),
      timeUs: rows.eventTime.part(first, to),
      stream: rows.eventStream.part(first, to),
      category: rows.category.part(first, to),
      metadata: rows.metadata.part(first, to),
      reservedBytes: null,
    };
  }
  const events = rowsIn(list, rowKinds.event, held);
  held.take(events.length * bytesPerEvent);
  const ints = (column: RowColumn<Int32Array>) => column.part(0, 0) && Int32Array.from(events, row => column.at(row));
  const floats = (column: RowColumn<Float64Array>) =>
    column.part(0, 0) && Float64Array.from(events, row => column.at(row));
  return {
    length: events.length,
    action: Uint8Array.from(events, row => rows.action.at(row)),
    address: Float64Array.from(events, row => rows.eventAddress.at(row)),
    bytes: Float64Array.from(events, row => rows.eventBytes.at(row)),
    stack: Int32Array.from(events, row => rows.eventStack.at(row)),
    timeUs: floats(rows.eventTime),
    stream: floats(rows.eventStream),
    category: ints(rows.category),
    metadata: ints(rows.metadata),
    reservedBytes: null,
  };
}

const bytesPerEvent = 1 + 8 + 8 + 4 + 8 + 8 + 4 + 4;

/** Returns the rows of a kind in a list, in its order. */
function rowsIn(list: HeapList | null, kind: number, held: HeldMemory): Int32Array {
  const found = new GrowingColumn(new Int32Array(64), held);
  for (let i = 0; i < (list?.length ?? 0); i++) {
    const row = list?.rowAt(kind, i) ?? -1;
    if (row >= 0) found.push(row);
  }
  return found.filled();
}
