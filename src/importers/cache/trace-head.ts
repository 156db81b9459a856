import {textColumnUnits} from '../../core/trace/text-table.js';
import {counterUnits} from '../../core/trace/counters.js';
import {instantKinds} from '../../core/trace/instants.js';
import {sliceKinds} from '../../core/trace/slices.js';
import {traceArrays, traceTables, type TraceHead} from '../../core/trace/trace-tables.js';
import type {Wording} from '../../core/trace/trace-note.js';
import {trackKinds, type Trace} from '../../core/trace/trace.js';
import {
  BadCacheFile,
  bigInteger,
  index,
  listOf,
  mapOf,
  measure,
  nullable,
  oneOf,
  optional,
  record,
  text,
  truth,
  type Decode,
} from './decode.js';

/** The deepest nesting of a note's texts. */
const deepestWording = 16;

/** Decodes what a note was made from. */
const wording: Decode<Wording> = json => wordingAt(json, 0);

function wordingAt(json: unknown, depth: number): Wording {
  if (depth > deepestWording) throw new BadCacheFile('Expected a note.');
  const value = (part: unknown) => (typeof part === 'string' ? part : wordingAt(part, depth + 1));
  return record<Wording>({template: text, values: listOf(value)})(json);
}

/** A decoder for each member of a trace outside its tables: a missing one does not compile. */
const decoders: {readonly [K in keyof TraceHead]: Decode<TraceHead[K]>} = {
  meta: record({
    format: text,
    profiler: text,
    version: nullable(text),
    driver: nullable(text),
    rank: nullable(measure),
    worldSize: nullable(measure),
    groupSize: nullable(measure),
    launch: optional(
      record({host: nullable(text), rank: nullable(measure), worldSize: nullable(measure), epochNs: nullable(text)}),
    ),
    numbersRanges: optional(truth),
    countsFromRecording: optional(truth),
    countsFromEpoch: optional(truth),
  }),
  domainOfName: mapOf(text),
  processes: listOf(record({pid: text, name: text})),
  devices: listOf(record({id: measure, name: nullable(text)})),
  smLimits: listOf(
    record({
      device: measure,
      computeMajor: measure,
      computeMinor: measure,
      threads: measure,
      registers: measure,
      sharedBytes: measure,
      blocks: nullable(measure),
    }),
  ),
  tracks: listOf(
    record({
      kind: oneOf(...trackKinds),
      name: text,
      process: index,
      device: measure,
      thread: measure,
      firstSlice: index,
      endSlice: index,
    }),
  ),
  counters: listOf(
    record({
      name: text,
      unit: nullable(oneOf(...counterUnits)),
      process: index,
      device: measure,
      firstSample: index,
      endSample: index,
    }),
  ),
  originNs: bigInteger,
  spanNs: measure,
  recordingEndNs: nullable(measure),
  counts: record({
    kernels: index,
    memcpys: index,
    memsets: index,
    apiCalls: index,
    cpuOps: index,
    ranges: index,
    pythonFrames: index,
    flows: index,
  }),
  notes: listOf(record({code: text, text, wording: optional(wording)})),
  textTables: listOf(
    record({
      report: text,
      title: text,
      run: text,
      line: index,
      columns: listOf(record({title: text, unit: oneOf(...textColumnUnits), isText: truth})),
      rows: listOf(listOf(record({text, value: nullable(measure), deviation: nullable(measure)}))),
      footer: listOf(record({label: text, ns: measure})),
    }),
  ),
};

/** Decodes the result of `encodeHead`. @throws BadCacheFile */
export const decodeHead: Decode<TraceHead> = record<TraceHead>(decoders);

/** Returns a trace's members other than its tables, arrays and texts, in a form that JSON can represent. */
export function encodeHead(trace: Trace): unknown {
  const head: Record<string, unknown> = {};
  for (const key of Object.keys(decoders)) {
    const value = trace[key as keyof TraceHead];
    head[key] = typeof value === 'bigint' ? String(value) : value instanceof Map ? [...value] : value;
  }
  return head;
}

/** Changes with everything that a written trace consists of. */
export const modelDescription = JSON.stringify({
  tables: traceTables,
  arrays: traceArrays,
  head: Object.keys(decoders),
  note: ['code', 'text', 'wording'],
  kinds: {sliceKinds, instantKinds, trackKinds, counterUnits},
});
