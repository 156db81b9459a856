import {nameInRows, namingOf} from '../attribution/name-fold.js';
import {getOrAdd} from '../table/get-or-add.js';
import {instantKindIndex} from '../trace/instants.js';
import {copiesByRange} from './memory-copies.js';
import {memoryOfDevices, MostIn, type MemoryOfDevice} from '../figures/memory-events.js';
import {eventsByTrack, eventsInside, innermostRangeOfEvents} from '../figures/memory-ranges.js';
import {heldAt} from '../figures/memory-held.js';
import {reportTimeNs} from './identity.js';
import type {RangeSet} from '../figures/range-set.js';
import type {ReportInput} from '../figures/report-input.js';
import type {Cell, ReportColumn, ReportDefinition, ReportRows} from './report.js';
import {compareText, drawn, numberColumn, tally, textColumn, timeColumn} from './summary.js';

const outside = '(outside any range)';
const device = textColumn('Device', 'whose memory: CPU, or the GPU and its number');

function bytesColumn(title: string, definition: string): ReportColumn {
  return {title, unit: 'bytes', definition};
}

/** `memory_sum`: what ranges allocated and freed, and their peaks. @see docs/metrics.md#memory-sum */
export const memorySummary: ReportDefinition = {
  id: 'memory_sum',
  oldId: null,
  title: 'Memory by Range',
  isOfRanges: true,
  options: [],
  details: () => ['ranges'],
  about: 'memory events (profile_memory=True, --cuda-memory-usage=true) or copies',
  tabs: [
    {
      id: 'memory-ranges',
      title: 'Memory',
      row: 'range',
      after: 'memory-size',
      about: 'memory events: record with profile_memory=True, or nsys --cuda-memory-usage=true',
    },
  ],
  columns: [
    textColumn('Range', 'name of the range; a range inside one of its own name is counted with it', {role: 'range'}),
    device,
    numberColumn('Instances', 'ranges of the name in which this memory was allocated or freed', tally),
    numberColumn('Allocations', 'number of allocations inside, on the range’s own thread'),
    numberColumn('Frees', 'number of frees inside, on the range’s own thread'),
    bytesColumn('Allocated', 'bytes of those allocations'),
    bytesColumn('Freed', 'bytes of those frees'),
    bytesColumn('Net', 'Allocated − Freed: what was left behind, or less than nothing'),
    bytesColumn(
      'Peak Above Entry',
      'most in use while an instance was open less what was when it began, by any thread',
    ),
    bytesColumn('Peak', 'most in use while an instance was open: of a step, the peak in the step'),
    numberColumn('Copies', 'number of copies on that GPU, launched inside on the range’s own thread'),
    bytesColumn('Copied', 'bytes of those copies whose size is known'),
  ],
  rows: memoryRows,
};

interface MemoryRow {
  readonly name: string;
  /** -1 if the profile does not record it. */
  readonly process: number;
  readonly device: number;
  instances: number;
  allocations: number;
  frees: number;
  allocatedBytes: number;
  freedBytes: number;
  /** -Infinity if the profile has no events of this memory. */
  peakAboveEntryBytes: number;
  peakBytes: number;
  copies: number;
  sizedCopies: number;
  copiedBytes: number;
}

function memoryRows(input: ReportInput): ReportRows {
  const ranges = input.tables.allThreadRanges;
  const memories = memoryOfDevices(input);
  const rows = memories.flatMap(memory => rowsOfDevice(input, memory, ranges));
  addCopies(input, rows);
  const hasNone = memories.length === 0 && rows.length > 0;
  rows.sort(
    (a, b) =>
      compareDown(a.peakAboveEntryBytes, b.peakAboveEntryBytes) ||
      b.allocatedBytes - a.allocatedBytes ||
      b.copiedBytes - a.copiedBytes,
  );
  return {
    length: rows.length,
    cells: at => {
      const row = rows[at];
      return [
        row.name,
        deviceName(input, row.device),
        row.instances,
        row.allocations,
        row.frees,
        row.allocatedBytes,
        row.freedBytes,
        row.allocatedBytes - row.freedBytes,
        finiteOrNull(row.peakAboveEntryBytes),
        finiteOrNull(row.peakBytes),
        row.copies,
        row.copies > 0 && row.sizedCopies === 0 ? null : row.copiedBytes,
      ];
    },
    ...(hasNone && {footer: [copiesAlone]}),
  };
}

/** The footer if instances, allocations and the like are 0 because none were recorded. */
const copiesAlone =
  'Copies alone: no memory events here; record with profile_memory=True, or nsys --cuda-memory-usage=true';

/** Adds copies to the rows of their range and GPU, and adds rows for ranges without memory events. */
function addCopies(input: ReportInput, rows: MemoryRow[]): void {
  const keyOf = (name: string, process: number, ofDevice: number) => JSON.stringify([name, process, ofDevice]);
  const known = new Map<string, MemoryRow>();
  for (const row of rows) getOrAdd(known, keyOf(row.name, row.process, row.device), () => row);
  for (const {name, process, device, copies, sizedCopies, bytes} of copiesByRange(input)) {
    // Memory of an unknown process may belong to any process.
    let row = known.get(keyOf(name, process, device)) ?? known.get(keyOf(name, -1, device));
    if (!row) rows.push((row = emptyRow(name, process, device)));
    row.copies += copies;
    row.sizedCopies += sizedCopies;
    row.copiedBytes += bytes;
  }
}

/** Sorts the larger first; two infinite values are equal. */
function compareDown(a: number, b: number): number {
  return a === b ? 0 : b - a;
}

function finiteOrNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

/** Returns rows of the ranges in scope. Events count for all ranges of the trace, whatever is selected. */
function rowsOfDevice(input: ReportInput, memory: MemoryOfDevice, ranges: RangeSet): MemoryRow[] {
  const {
    trace: {slices},
    scope,
  } = input;
  const naming = namingOf(input.trace, input.stack?.fold, ranges.slice);
  const rows = new Map<string, MemoryRow>();
  const sums = new MemorySums(memory);
  const eventsOf = eventsByTrack(input.trace, memory);
  const openUntilNs = new Map<string, number>();
  const isInRange = new Uint8Array(memory.atNs.length);
  for (let range = 0; range < ranges.length; range++) {
    const events = eventsOf(ranges.trackOf(range));
    if (events === null) continue;
    const {first, end} = eventsInside(events.atNs, ranges.startNs(range), ranges.endNs(range));
    if (first === end) continue;
    for (let i = first; i < end; i++) isInRange[events.event[i]] = 1;
    if (scope.slices?.[ranges.slice[range]] === 0) continue;
    const nameIndex = nameInRows(naming, slices.name[ranges.slice[range]]);
    const key = `${String(ranges.trackOf(range))} ${String(nameIndex)}`;
    if (ranges.endNs(range) <= (openUntilNs.get(key) ?? -Infinity)) continue;
    openUntilNs.set(key, ranges.endNs(range));
    const name = naming.textOf(nameIndex);
    const row = getOrAdd(rows, name, () => emptyRow(name, memory.process, memory.device));
    row.instances++;
    sums.add(row, events.event.subarray(first, end));
    sums.addPeak(row, ranges.startNs(range), ranges.endNs(range));
  }
  const others = outsideRow(input, memory, sums, isInRange);
  if (others) rows.set('', others);
  return [...rows.values()];
}

/** Returns the row of events outside all ranges; null if there are none. */
function outsideRow(
  {scope}: ReportInput,
  memory: MemoryOfDevice,
  sums: MemorySums,
  isInRange: Uint8Array,
): MemoryRow | null {
  const others = Int32Array.from(isInRange.keys()).filter(
    event => isInRange[event] === 0 && scope.instants?.[memory.instant[event]] !== 0,
  );
  if (others.length === 0) return null;
  const row = emptyRow(outside, memory.process, memory.device);
  sums.add(row, others);
  for (const event of others) sums.addPeak(row, memory.atNs[event], memory.atNs[event]);
  return row;
}

/** Adds the memory events of a device to rows. */
class MemorySums {
  readonly #most: MostIn;

  constructor(private readonly memory: MemoryOfDevice) {
    this.#most = new MostIn(memory.level);
  }

  add(row: MemoryRow, events: Int32Array): void {
    for (const event of events) {
      const bytes = this.memory.bytes[event];
      if (bytes >= 0) {
        row.allocations++;
        row.allocatedBytes += bytes;
      } else {
        row.frees++;
        row.freedBytes -= bytes;
      }
    }
  }

  addPeak(row: MemoryRow, startNs: number, endNs: number): void {
    const {atNs, level, baseBytes} = this.memory;
    const {first, end} = eventsInside(atNs, startNs, endNs);
    const entryBytes = first === 0 ? baseBytes : level[first - 1];
    const peakBytes = Math.max(entryBytes, this.#most.in(first, end));
    row.peakAboveEntryBytes = Math.max(row.peakAboveEntryBytes, peakBytes - entryBytes);
    row.peakBytes = Math.max(row.peakBytes, peakBytes);
  }
}

function emptyRow(name: string, process: number, ofDevice: number): MemoryRow {
  return {
    ...{name, process, device: ofDevice},
    instances: 0,
    allocations: 0,
    frees: 0,
    allocatedBytes: 0,
    freedBytes: 0,
    peakAboveEntryBytes: -Infinity,
    peakBytes: -Infinity,
    ...{copies: 0, sizedCopies: 0, copiedBytes: 0},
  };
}

/** `memory_held`: the ranges that held memory at its peak and where it ran out. @see docs/metrics.md#memory-held */
export const memoryHeld: ReportDefinition = {
  id: 'memory_held',
  oldId: null,
  title: 'Memory Held by Range',
  isOfRanges: true,
  options: [],
  details: () => ['ranges', 'addresses'],
  about: 'addresses of memory events',
  tabs: [
    {
      id: 'memory-held',
      title: 'Memory held',
      row: 'range',
      after: 'memory-ranges',
      about: 'addresses of memory events: record with profile_memory=True',
    },
  ],
  columns: [
    textColumn('Moment', 'peak: the most was in use; out of memory: an allocation failed'),
    timeColumn('Time', 'when that was', drawn),
    device,
    bytesColumn('In Use', 'bytes in use then'),
    textColumn(
      'Range',
      'innermost range in which what it holds was allocated; what is older than the recording is a row',
      {role: 'range'},
    ),
    numberColumn('Blocks', 'allocations of the range that were not freed by then'),
    bytesColumn('Held', 'bytes of those allocations'),
  ],
  rows: heldRows,
};

function heldRows(input: ReportInput): ReportRows {
  const {trace, details} = input;
  const {addresses} = details;
  if (addresses === null) return {length: 0, cells: () => []};
  const ranges = input.tables.allThreadRanges;
  const {textOf} = namingOf(trace, input.stack?.fold, ranges.slice);
  const timeOf = reportTimeNs(trace);
  const rows: Cell[][] = [];
  for (const memory of memoryOfDevices(input)) {
    if (memory.instant.every(row => Number.isNaN(addresses[row]))) continue;
    const innermost = innermostRangeOfEvents(trace, memory, ranges);
    const rangeOf = (event: number) => {
      const range = innermost[event];
      return range < 0 ? outside : textOf(trace.slices.name[ranges.slice[range]]);
    };
    for (const {moment, atNs, events} of momentsOf(input, memory)) {
      const inUse = events === 0 ? memory.baseBytes : memory.level[events - 1];
      const held = heldAt(memory, addresses, events, rangeOf);
      held.sort((a, b) => b.bytes - a.bytes || compareText(a.range, b.range));
      for (const {range, blocks, bytes} of held) {
        rows.push([moment, timeOf(atNs), deviceName(input, memory.device), inUse, range, blocks, bytes]);
      }
    }
  }
  return {length: rows.length, cells: row => rows[row]};
}

interface Moment {
  readonly moment: string;
  readonly atNs: number;
  /** How many of the device's events had happened by then. */
  readonly events: number;
}

/** Returns the peak in scope, and every moment in scope at which an allocation failed. */
function momentsOf({trace: {instants, tracks}, scope}: ReportInput, memory: MemoryOfDevice): Moment[] {
  const isIn = (row: number) => scope.instants?.[row] !== 0;
  let peak = -1;
  memory.level.forEach((level, event) => {
    if (isIn(memory.instant[event]) && (peak < 0 || level > memory.level[peak])) peak = event;
  });
  const moments = peak < 0 ? [] : [{moment: 'peak', atNs: memory.atNs[peak], events: peak + 1}];
  for (let row = 0; row < instants.length; row++) {
    const atNs = instants.atNs[row];
    if (instants.kind[row] !== instantKindIndex.out_of_memory || instants.device[row] !== memory.device) continue;
    const track = instants.track[row];
    if ((track < 0 ? -1 : tracks[track].process) !== memory.process || !isIn(row)) continue;
    moments.push({moment: 'out of memory', atNs, events: eventsInside(memory.atNs, -Infinity, atNs).end});
  }
  return moments;
}

function deviceName({trace}: ReportInput, id: number): string {
  if (id < 0) return 'CPU';
  const name = trace.devices.find(candidate => candidate.id === id)?.name;
  return `${name ?? ''} (${String(id)})`.trimStart();
}
