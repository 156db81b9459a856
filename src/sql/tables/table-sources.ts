import {collectiveRows} from './collectives.js';
import {gpuOperationRows} from './gpu-operations.js';
import {lineRows} from './lines.js';
import {counterRows, instantRows, noteRows, profileRows} from './points.js';
import {printedRows} from './printed.js';
import {rangeRowsOf} from './ranges.js';
import {apiCallRows, operatorRows, sliceRows} from './slices.js';
import {profileSnapshot} from '../../core/memory-snapshot/profile-snapshot.js';
import {allocationRows, segmentRows} from './memory.js';
import {findSqlTable} from '../schema.js';
import type {TableRows, TableSource} from './table-source.js';
import {deviceRows, threadRows, trackRows} from './tracks.js';

/** The source of each table's rows. `kernels` has none, because it is a part of `gpu_operations`. */
export const tableSources: Readonly<Record<string, TableSource>> = {
  gpu_operations: gpuOperationRows,
  ranges: rangeRowsOf,
  api_calls: apiCallRows,
  operators: operatorRows,
  collectives: collectiveRows,
  slices: sliceRows,
  tracks: trackRows,
  threads: threadRows,
  devices: deviceRows,
  lines: lineRows,
  counters: counterRows,
  instants: instantRows,
  printed: printedRows,
  notes: noteRows,
  profile: profileRows,
  allocations: (trace, texts, {snapshot, details: {addresses}, lines}) => {
    const memory = snapshot ?? profileSnapshot(trace, {addresses, lines});
    return memory ? allocationRows(memory, texts) : empty('allocations');
  },
  segments: (_, texts, {snapshot}) => (snapshot ? segmentRows(snapshot, texts) : empty('segments')),
};

/** A table without rows. */
function empty(table: string): TableRows {
  const columns = findSqlTable(table)?.columns ?? [];
  return {length: 0, columns: Object.fromEntries(columns.map(({name}) => [name, () => () => null]))};
}
