import {
  absentRows,
  gridSchema,
  operationDetailsSchema,
  type DetailKind,
  type GridTable,
  type OperationDetails,
  type ReportDetails,
} from '../../core/figures/report-details.js';
import {distinctGrids} from '../../core/figures/distinct-grids.js';
import {StringTable} from '../../core/table/string-table.js';
import {gpuOperationKinds, type SliceKind} from '../../core/trace/slices.js';
import type {Trace} from '../../core/trace/trace.js';
import {isNatural} from '../reading/natural-number.js';
import {integer, type ColumnRequest, type TableSource} from '../sqlite/table-source.js';
import {readMemoryKinds} from './database/memory-kinds.js';
import type {NsysDatabase} from './database/nsys-database.js';
import {NsysStrings} from './database/nsys-strings.js';
import {tableOfKind} from './read-row.js';
import {rowsBySource} from './rows-by-source.js';

/** One of nsys's columns and the conversion of its values to those of `operations`; -1 for rows without one. */
interface Wanted {
  readonly request: ColumnRequest;
  readonly take: (values: Float64Array, operations: Int32Array) => void;
}

const kinds = [...gpuOperationKinds];
/** Kinds that copy or set memory. */
const memoryKindsOf: ReadonlySet<SliceKind> = new Set<SliceKind>(['gpu_memcpy', 'gpu_memset']);

/** Returns the wanted launch details of operations: each table is read once, and only its wanted columns. */
export function readOperationDetails(
  db: NsysDatabase,
  source: TableSource,
  trace: Trace,
  wanted: ReadonlySet<DetailKind>,
): Pick<ReportDetails, 'grids' | 'gridOf' | 'operations' | 'graphNodes'> {
  const {gpuOperations} = trace;
  const grids = wanted.has('grids') ? absentRows(gridSchema, gpuOperations.length) : null;
  const withMemories = wanted.has('operations') || wanted.has('memories');
  const operations = withMemories
    ? {table: absentRows(operationDetailsSchema, gpuOperations.length), strings: new StringTable()}
    : null;
  const graphNodes = wanted.has('graphNodes') ? new Float64Array(gpuOperations.length).fill(-1) : null;
  if (!grids && !operations && !graphNodes) return {grids, operations, graphNodes};
  const columnsOf = operations ? detailColumns(db, operations, wanted) : () => [];
  const kindSets = kinds.map(kind => new Set([kind]));
  rowsBySource(trace, gpuOperations.slice, kindSets).forEach((operationOf, at) => {
    const table = tableOfKind[kinds[at]] ?? '';
    const columns = [
      ...(grids && kinds[at] === 'kernel' ? gridColumns(grids) : []),
      ...columnsOf(kinds[at]),
      ...(graphNodes && db.has(table, 'graphNodeId') ? [asItIs('graphNodeId', graphNodes)] : []),
    ];
    if (!operationOf || !db.has(table) || columns.length === 0) return;
    const requests = Object.fromEntries(columns.map(({request}, column) => [String(column), request]));
    for (const {length, rowid, columns: values} of source.read(table, requests)) {
      const rows = new Int32Array(length);
      for (let i = 0; i < length; i++) rows[i] = operationOf(rowid[i]);
      columns.forEach(({take}, column) => {
        take(values[String(column)], rows);
      });
    }
  });
  return {...(grids ? distinctGrids(grids) : {grids}), operations, graphNodes};
}

function gridColumns(grids: GridTable): Wanted[] {
  const names = Object.keys(gridSchema) as (keyof typeof gridSchema)[];
  // nsys uses the same names.
  return names.map(name => naturals(name, grids[name]));
}

/**
 * Returns the columns of `OperationDetails` in the tables of each kind; names are ids in `StringIds`. If only memory
 * kinds are wanted, kernels are not read.
 */
function detailColumns(
  db: NsysDatabase,
  {table, strings}: OperationDetails,
  wanted: ReadonlySet<DetailKind>,
): (kind: SliceKind) => Wanted[] {
  const names = new NsysStrings(db, strings);
  const nameOf = (id: number) => names.index(id);
  const memoryKinds = new Map(Array.from(readMemoryKinds(db), ([kind, name]) => [kind, strings.intern(name)]));
  const memoryOf = (kind: number) => memoryKinds.get(kind) ?? -1;
  const memories = (kind: SliceKind) => [
    lookedUp(kind === 'gpu_memcpy' ? 'srcKind' : 'memKind', table.sourceMemory, memoryOf),
    lookedUp('dstKind', table.targetMemory, memoryOf),
  ];
  if (!wanted.has('operations')) return kind => (memoryKindsOf.has(kind) ? memories(kind) : []);
  return kind => [
    naturals('registersPerThread', table.registers),
    asItIs('staticSharedMemory', table.staticSharedBytes),
    asItIs('dynamicSharedMemory', table.dynamicSharedBytes),
    asItIs('contextId', table.context),
    lookedUp('shortName', table.baseName, nameOf),
    lookedUp('mangledName', table.mangledName, nameOf),
    ...memories(kind),
  ];
}

/** Copies the numbers of a column. Each column has its own loop: row by row takes ten times as long. */
function asItIs(column: string, to: Float64Array): Wanted {
  return {
    request: integer(column),
    take: (values, operations) => {
      for (let i = 0; i < operations.length; i++) {
        if (operations[i] >= 0 && Number.isFinite(values[i])) to[operations[i]] = values[i];
      }
    },
  };
}

/** Copies the whole numbers of a column; other values are absent. */
function naturals(column: string, to: Int32Array): Wanted {
  return {
    request: integer(column),
    take: (values, operations) => {
      for (let i = 0; i < operations.length; i++) {
        if (operations[i] >= 0 && isNatural(values[i])) to[operations[i]] = values[i];
      }
    },
  };
}

/** Translates the numbers of a column: one lookup for each run of equal numbers. */
function lookedUp(column: string, to: Int32Array, valueOf: (number: number) => number): Wanted {
  return {
    request: integer(column),
    take: (values, operations) => {
      let last = NaN;
      let value = -1;
      for (let i = 0; i < operations.length; i++) {
        if (operations[i] < 0 || !Number.isFinite(values[i])) continue;
        if (values[i] !== last) value = valueOf((last = values[i]));
        to[operations[i]] = value;
      }
    },
  };
}
