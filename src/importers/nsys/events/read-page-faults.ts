import {kindIndex} from '../../../core/trace/slices.js';
import {processKeySql} from '../database/nsys-identity.js';
import {rowsPerTurn, type NsysReader} from '../database/nsys-reader.js';
import {addInstant} from './add-instant.js';
import {pageFaultTrack} from './event-tracks.js';
import type {EventReader} from './event-reader.js';
import {sourceOf} from './row-place.js';

const cpuTable = 'CUDA_UM_CPU_PAGE_FAULT_EVENTS';
const gpuTable = 'CUDA_UM_GPU_PAGE_FAULT_EVENTS';

/** Page faults of unified memory. The migrations that they cause are copies, in the table of copies. */
export const pageFaultReaders: readonly EventReader[] = [
  {
    table: cpuTable,
    what: 'unified memory page faults of the CPU',
    columns: ['start', 'globalPid'],
    read: readCpuFaults,
  },
  {
    table: gpuTable,
    what: 'unified memory page faults of GPUs',
    columns: ['start', 'end', 'globalPid', 'deviceId'],
    read: readGpuFaults,
  },
];

function* readCpuFaults(reader: NsysReader): Generator<number> {
  const name = reader.builder.strings.intern('CPU page fault');
  const sql = `select rowid, start, ${processKeySql('globalPid')} from ${cpuTable}`;
  let rows = 0;
  let lastKey = NaN;
  let track = -1;
  for (const [rowid, start, key] of reader.db.rows<[number, number, number]>(sql)) {
    if (key !== lastKey) track = pageFaultTrack(reader, (lastKey = key), -1);
    addInstant(reader, track, start, name, 'page_fault', null, sourceOf(cpuTable, rowid));
    if (++rows % rowsPerTurn === 0) yield rowsPerTurn;
  }
  yield rows % rowsPerTurn;
}

function* readGpuFaults(reader: NsysReader): Generator<number> {
  const {db, builder, tracks} = reader;
  const name = builder.strings.intern('GPU page fault');
  const sql = `select rowid, start, "end", ${processKeySql('globalPid')}, deviceId from ${gpuTable}`;
  let rows = 0;
  let lastKey = NaN;
  let lastOrdinal: number | null = NaN;
  let track = -1;
  for (const [rowid, start, end, key, ordinal] of db.rows<[number, number, number | null, number, number | null]>(
    sql,
  )) {
    if (key !== lastKey || ordinal !== lastOrdinal) {
      track = pageFaultTrack(reader, key, tracks.device(key, ordinal));
      lastKey = key;
      lastOrdinal = ordinal;
    }
    reader.slice(track, start, end ?? NaN, name, kindIndex.page_fault, sourceOf(gpuTable, rowid));
    if (++rows % rowsPerTurn === 0) yield rowsPerTurn;
  }
  yield rows % rowsPerTurn;
}
