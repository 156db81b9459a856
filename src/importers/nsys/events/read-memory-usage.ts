import {getOrAdd} from '../../../core/table/get-or-add.js';
import {readMemoryKinds} from '../database/memory-kinds.js';
import {processKeySql} from '../database/nsys-identity.js';
import {rowsPerTurn, type NsysReader} from '../database/nsys-reader.js';
import {addInstant} from './add-instant.js';
import {memoryTrack} from './event-tracks.js';
import type {EventReader} from './event-reader.js';
import {sourceOf} from './row-place.js';

const table = 'CUDA_GPU_MEMORY_USAGE_EVENTS';

export const memoryUsageReader: EventReader = {
  table,
  what: 'CUDA memory usage',
  columns: ['start', 'globalPid', 'deviceId', 'bytes', 'memoryOperationType'],
  read: readMemoryUsage,
};

/** ENUM_CUDA_DEV_MEM_EVENT_OPER. */
const operation = {allocation: 0, deallocation: 1} as const;
/** ENUM_CUDA_MEM_KIND: pageable and pinned memory are the host's. */
const deviceMemory = 2;
const isHostMemory = (kind: number): boolean => kind === 0 || kind === 1;

const bytesPerUsage = 200;

interface Usage {
  readonly counter: number;
  readonly track: number;
  readonly device: number;
  bytes: number;
}

/**
 * Reads allocations of CUDA memory: instants and, per process, device and kind of memory, a counter of the bytes
 * allocated since the recording began. Earlier allocations are not in the file, so freeing them counts below zero.
 */
function* readMemoryUsage(reader: NsysReader): Generator<number> {
  const {db, builder} = reader;
  const labels = readMemoryKinds(db);
  const names = [builder.strings.intern('Allocation'), builder.strings.intern('Deallocation')];
  const usages = new Map<string, Usage>();
  reader.budget.watch(() => usages.size * bytesPerUsage);
  const sql = `select rowid, start, ${processKeySql('globalPid')}, deviceId, bytes, memoryOperationType,
    ${db.column(table, 'memKind', String(deviceMemory))} from ${table} order by start, rowid`;
  let rows = 0;
  for (const [rowid, start, key, deviceId, bytes, type, kind] of db.rows<number[]>(sql)) {
    // The host has one memory, whichever device's context requested it.
    const ordinal = isHostMemory(kind) ? -1 : deviceId;
    const isKnown = type === operation.allocation || type === operation.deallocation;
    if (isKnown && Number.isSafeInteger(start) && Number.isSafeInteger(bytes) && bytes >= 0) {
      const usage = getOrAdd(usages, [key, ordinal, kind].join(), () => addUsage(reader, labels, key, ordinal, kind));
      const change = type === operation.allocation ? bytes : -bytes;
      usage.bytes += change;
      builder.points.addSample(usage.counter, start, usage.bytes);
      addInstant(
        reader,
        usage.track,
        start,
        names[type] ?? 0,
        'memory',
        {bytes: change, device: usage.device},
        sourceOf(table, rowid),
      );
    } else reader.invalidRows++;
    if (++rows % rowsPerTurn === 0) yield rowsPerTurn;
  }
  yield rows % rowsPerTurn;
}

function addUsage(
  reader: NsysReader,
  labels: ReadonlyMap<unknown, string>,
  processKey: number,
  ordinal: number,
  kind: number,
): Usage {
  const {builder, tracks} = reader;
  const device = isHostMemory(kind) ? -1 : tracks.device(processKey, ordinal);
  const counter = builder.points.counter({
    name: `CUDA memory allocated (${labels.get(kind) ?? `kind ${String(kind)}`})`,
    unit: 'bytes',
    process: tracks.process(processKey),
    device,
  });
  return {counter, track: memoryTrack(reader, processKey, device), device, bytes: 0};
}
