import type {ColumnKind, Schema} from '../table/table.js';
import {counterSampleSchema} from './counters.js';
import {apiCallSchema, gpuOperationSchema, operatorSchema} from './gpu-operations.js';
import {instantKinds, instantSchema} from './instants.js';
import {sliceKinds, sliceSchema} from './slices.js';
import type {Trace} from './trace.js';

/** What the values of an index column refer to: rows of a table, or entries of a list. -1 stands for none. */
export type IndexTarget = 'strings' | 'processes' | 'tracks' | 'kinds' | 'instantKinds' | 'slices';

interface TableDescription<S extends Schema> {
  readonly schema: S;
  readonly indices: {readonly [K in keyof S]?: IndexTarget};
}

/**
 * Every table of a `Trace`: files, memory figures and the fingerprint of the model are derived from it. Omitting a
 * table does not compile, since `TraceHead` would have to hold it.
 */
export const traceTables = {
  slices: table(sliceSchema, {name: 'strings', track: 'tracks', kind: 'kinds'}),
  gpuOperations: table(gpuOperationSchema, {slice: 'slices'}),
  apiCalls: table(apiCallSchema, {slice: 'slices'}),
  operators: table(operatorSchema, {slice: 'slices'}),
  counterSamples: table(counterSampleSchema, {}),
  instants: table(instantSchema, {name: 'strings', track: 'tracks', kind: 'instantKinds'}),
} as const;

/** Every array of a `Trace` that is not a table. */
export const traceArrays = {
  forwardBackward: {kind: 'i32', indices: 'slices'},
  assumed: {kind: 'i32', indices: 'slices'},
  capturedCalls: {kind: 'i32', indices: 'slices'},
} as const satisfies Readonly<Record<string, {readonly kind: ColumnKind; readonly indices?: IndexTarget}>>;

export type TraceTableName = keyof typeof traceTables;
export type TraceArrayName = keyof typeof traceArrays;

/** The rest of a `Trace` besides tables, arrays and texts: little data, and no numbers by the million. */
export type TraceHead = Omit<Trace, TraceTableName | TraceArrayName | 'strings'>;

/** Returns the number of entries of each target. */
export function targetCounts(
  trace: Pick<Trace, 'strings' | 'processes' | 'tracks' | 'slices'>,
): Record<IndexTarget, number> {
  return {
    strings: trace.strings.length,
    processes: trace.processes.length,
    tracks: trace.tracks.length,
    kinds: sliceKinds.length,
    instantKinds: instantKinds.length,
    slices: trace.slices.length,
  };
}

function table<S extends Schema>(schema: S, indices: TableDescription<S>['indices']): TableDescription<S> {
  return {schema, indices};
}
