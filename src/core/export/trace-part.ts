import {gather, type Schema, type Table} from '../table/table.js';
import {counterSampleSchema} from '../trace/counters.js';
import {apiCallSchema, gpuOperationSchema, operatorSchema} from '../trace/gpu-operations.js';
import {instantSchema} from '../trace/instants.js';
import {sliceSchema} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';
import type {PartRows} from './part-rows.js';

/**
 * Returns a trace with some rows of another, at the same times. Includes the counter samples of the part's time, and
 * the last sample before.
 */
export function tracePart(trace: Trace, rows: PartRows): Trace {
  const {slices, tracks, counters, counterSamples} = trace;
  const newRow = new Int32Array(slices.length + 1);
  let length = 0;
  for (let row = 0; row < slices.length; row++) {
    newRow[row] = length;
    if (rows.slices[row] === 1) length++;
  }
  newRow[slices.length] = length;
  const ofSlices = <S extends Schema & {slice: 'i32'}>(schema: S, table: Table<S>): Table<S> => {
    const kept = gather(
      schema,
      table,
      rowsWhere(table.length, row => rows.slices[table.slice[row]] === 1),
    );
    return {...kept, slice: Int32Array.from(kept.slice, row => newRow[row])};
  };
  const operations = gather(
    gpuOperationSchema,
    trace.gpuOperations,
    rowsWhere(trace.gpuOperations.length, row => rows.operations[row] === 1),
  );
  const samples: number[] = [];
  const keptCounters = counters.map(counter => {
    const firstSample = samples.length;
    for (let row = counter.firstSample; row < counter.endSample; row++) {
      const isLast = row + 1 === counter.endSample || counterSamples.atNs[row + 1] > rows.fromNs;
      if (isLast && counterSamples.atNs[row] < rows.toNs) samples.push(row);
    }
    return {...counter, firstSample, endSample: samples.length};
  });
  return {
    ...trace,
    slices: gather(
      sliceSchema,
      slices,
      rowsWhere(slices.length, row => rows.slices[row] === 1),
    ),
    tracks: tracks.map(track => ({
      ...track,
      firstSlice: newRow[track.firstSlice],
      endSlice: newRow[track.endSlice],
    })),
    gpuOperations: {...operations, slice: Int32Array.from(operations.slice, row => newRow[row])},
    apiCalls: ofSlices(apiCallSchema, trace.apiCalls),
    operators: ofSlices(operatorSchema, trace.operators),
    counters: keptCounters.filter(({firstSample, endSample}) => endSample > firstSample),
    counterSamples: gather(counterSampleSchema, counterSamples, Uint32Array.from(samples)),
    instants: gather(
      instantSchema,
      trace.instants,
      rowsWhere(trace.instants.length, row => rows.instants[row] === 1),
    ),
    forwardBackward: keptPairs(trace.forwardBackward, rows.slices, newRow),
    assumed: trace.assumed.filter(row => rows.slices[row] === 1).map(row => newRow[row]),
    capturedCalls: trace.capturedCalls
      .filter((_, operation) => rows.operations[operation] === 1)
      .map(row => (row < 0 ? row : newRow[row])),
  };
}

function rowsWhere(length: number, isIn: (row: number) => boolean): Uint32Array {
  const rows = new Uint32Array(length);
  let count = 0;
  for (let row = 0; row < length; row++) if (isIn(row)) rows[count++] = row;
  return rows.subarray(0, count);
}

/** Returns flows with both ends included. */
function keptPairs(pairs: Int32Array, isKept: Uint8Array, newRow: Int32Array): Int32Array {
  const kept: number[] = [];
  for (let at = 0; at + 1 < pairs.length; at += 2) {
    const [from, to] = [pairs[at], pairs[at + 1]];
    if (isKept[from] === 1 && isKept[to] === 1) kept.push(newRow[from], newRow[to]);
  }
  return Int32Array.from(kept);
}
