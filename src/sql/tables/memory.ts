import {isHostMemory} from '../../core/memory-snapshot/device-name.js';
import {eventsOf} from '../../core/memory-snapshot/events-of.js';
import {eventTimeUs} from '../../core/memory-snapshot/event-times.js';
import type {MemorySnapshot} from '../../core/memory-snapshot/memory-snapshot.js';
import {ownFrames} from '../../core/memory-snapshot/own-frames.js';
import {replayDevice, snapshotDevices, type DeviceMemory} from '../../core/memory-snapshot/replay.js';
import {segmentUse} from '../../core/memory-snapshot/segment-use.js';
import {stackText} from '../../core/memory-snapshot/stack-text.js';
import type {Texts} from '../texts.js';
import type {SqlValue, TableRows} from './table-source.js';

/** Allocations of all devices of a snapshot that were live at some moment of its history. */
export function allocationRows(snapshot: MemorySnapshot, texts: Texts): TableRows {
  const memories = snapshotDevices(snapshot).map(device => replayDevice(snapshot, device));
  const starts: number[] = [];
  let length = 0;
  for (const {allocations} of memories) {
    starts.push(length);
    length += allocations.length;
  }
  const of =
    (value: (memory: DeviceMemory, row: number) => SqlValue) =>
    () =>
    (row: number): SqlValue => {
      let at = starts.length - 1;
      while (starts[at] > row) at--;
      return value(memories[at], row - starts[at]);
    };
  const stackOf = ({allocations}: DeviceMemory, row: number) => allocations.stack[row];
  const allocatedEvent = ({allocations}: DeviceMemory, row: number) => allocations.fromMoment[row] - 1;
  const freedEvent = ({allocations, eventCount}: DeviceMemory, row: number) =>
    allocations.untilMoment[row] > eventCount ? -1 : allocations.untilMoment[row] - 1;
  const atEvent = (
    eventOf: (memory: DeviceMemory, row: number) => number,
    value: (memory: DeviceMemory, event: number) => SqlValue,
  ) =>
    of((memory, row) => {
      const event = eventOf(memory, row);
      return event < 0 ? null : value(memory, event);
    });
  const timeOf = ({device}: DeviceMemory, event: number) => {
    const timeUs = eventTimeUs(eventsOf(snapshot, device), event);
    return timeUs === null ? null : Math.round(timeUs);
  };
  const label = (column: 'category' | 'metadata') =>
    atEvent(allocatedEvent, ({device}, event) => {
      const text = eventsOf(snapshot, device)[column]?.[event] ?? -1;
      return text < 0 ? null : texts.add(snapshot.texts[text]);
    });
  return {
    length,
    columns: {
      id: () => row => row,
      device: of(({device}) => (isHostMemory(snapshot, device) ? null : device)),
      // A recording without addresses has negative numbers instead.
      address: of(({allocations}, row) => (allocations.address[row] < 0 ? null : allocations.address[row])),
      bytes: of(({allocations}, row) => allocations.bytes[row]),
      allocated_event: atEvent(allocatedEvent, (_, event) => event),
      freed_event: atEvent(freedEvent, (_, event) => event),
      is_live_at_peak: of(({allocations, peakMoment}, row) =>
        allocations.fromMoment[row] <= peakMoment && peakMoment < allocations.untilMoment[row] ? 1 : 0,
      ),
      is_live_at_end: of((memory, row) => (freedEvent(memory, row) < 0 ? 1 : 0)),
      allocated_us: atEvent(allocatedEvent, timeOf),
      freed_us: atEvent(freedEvent, timeOf),
      stream: atEvent(allocatedEvent, ({device}, event) => eventsOf(snapshot, device).stream?.[event] ?? 0),
      category: label('category'),
      metadata: label('metadata'),
      ...placeColumns(snapshot, texts, of, stackOf),
    },
  };
}

/** Segments of all devices at the snapshot's end. */
export function segmentRows(snapshot: MemorySnapshot, texts: Texts): TableRows {
  const {segments} = snapshot;
  const use = segmentUse(snapshot);
  const of = (value: (_: null, row: number) => SqlValue) => () => (row: number) => value(null, row);
  return {
    length: segments.length,
    columns: {
      id: () => row => row,
      device: () => row => segments.device[row],
      address: () => row => segments.address[row],
      bytes: () => row => segments.bytes[row],
      stream: () => row => segments.stream[row],
      is_expandable: () => row => segments.isExpandable[row],
      blocks: () => row => use.blocks[row],
      requested_bytes: () => row => use.requestedBytes[row],
      active_bytes: () => row => use.activeBytes[row],
      free_bytes: () => row => use.freeBytes[row],
      largest_free_bytes: () => row => use.largestFreeBytes[row],
      ...placeColumns(snapshot, texts, of, (_, row) => segments.stack[row]),
    },
  };
}

/** The innermost frame of the user's own code, and the whole stack. */
function placeColumns<Where>(
  snapshot: MemorySnapshot,
  texts: Texts,
  of: (value: (where: Where, row: number) => SqlValue) => () => (row: number) => SqlValue,
  stackOf: (where: Where, row: number) => number,
): TableRows['columns'] {
  const {frames, stacks} = snapshot;
  let own: Int32Array | null = null;
  const atFrame = (value: (frame: number) => SqlValue) =>
    of((where, row) => {
      const stack = stackOf(where, row);
      const frame = stack < 0 ? -1 : (own ??= ownFrames(frames, stacks))[stack];
      return frame < 0 ? null : value(frame);
    });
  return {
    file: atFrame(frame => (frames.files[frame] === '' ? null : texts.add(frames.files[frame]))),
    line: atFrame(frame => frames.lines[frame] || null),
    function: atFrame(frame => texts.add(frames.names[frame])),
    stack: of((where, row) => {
      const stack = stackOf(where, row);
      return stack < 0 ? null : texts.add(stackText(snapshot, stack));
    }),
  };
}
