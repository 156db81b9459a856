import {TraceBuilder} from '../../src/core/trace/trace-builder.js';
import type {SliceKind} from '../../src/core/trace/slices.js';
import type {Trace} from '../../src/core/trace/trace.js';

/** One column of a drawing. */
const columnNs = 1000;

/**
 * Builds a trace from a drawing: one line per track or name, one column per microsecond.
 *
 *     range outer    ==========       a record_function range on thread "main"
 *     range inner     ===  ==         two instances
 *     call            A    B          API calls; the letter is the correlation id
 *     stream 7          AAA  BB.b     GPU operations: linked by their letter; lower case has no call
 *     bg: range x    ====             the same on another thread
 *     process P                       the following lines belong to another process
 *
 * Kinds: `range`, `op`, `module`, `python`, `startend`, `call`, `stream N`, `stream D.N` (device D), `memcpy N`.
 * The drawing begins in the column after the widest label.
 */
export function traceFromText(drawing: string): Trace {
  const builder = new TraceBuilder();
  const lines = drawing.split('\n').filter(line => line.trim() !== '');
  const indent = Math.min(...lines.map(line => line.search(/\S/)));
  let process = builder.process('1');
  for (const line of lines.map(text => text.slice(indent))) {
    const named = /^process (\S+)$/.exec(line.trim());
    if (named) {
      process = builder.process(named[1] ?? '');
      continue;
    }
    const match = /^(?:(\w+): )?(\S+)( [^ =]\S*)?(.*)$/.exec(line);
    if (!match) throw new Error(`Not a line of a drawing: ${line}`);
    const [, thread = 'main', kind = '', argument = ''] = match;
    addLine(builder, process, {thread, kind, argument: argument.trim(), cells: line.slice(labelWidth)});
  }
  return builder.finish({
    meta: {format: 'kineto', profiler: 'test', version: null, rank: null, worldSize: null, groupSize: null},
    baseNs: 0n,
    counts: {kernels: 0, memcpys: 0, memsets: 0, apiCalls: 0, cpuOps: 0, ranges: 0, pythonFrames: 0, flows: 0},
    notes: [],
  });
}

/** Width of the labels' column in every drawing of the tests. */
const labelWidth = 16;

interface Line {
  readonly thread: string;
  readonly kind: string;
  readonly argument: string;
  readonly cells: string;
}

const rangeKinds: Readonly<Record<string, SliceKind>> = {
  range: 'user_annotation',
  op: 'cpu_op',
  module: 'module',
  python: 'python_function',
  startend: 'nvtx_startend',
};

function addLine(builder: TraceBuilder, process: number, line: Line): void {
  if (line.kind === 'call') addCalls(builder, process, line);
  else if (line.kind === 'stream' || line.kind === 'memcpy') addOperations(builder, process, line);
  else addRanges(builder, process, line);
}

function addCalls(builder: TraceBuilder, process: number, {thread, cells}: Line): void {
  for (const {letter, startNs, durationNs} of runs(cells)) {
    const name = builder.strings.intern('cudaLaunchKernel');
    const slice = builder.addSlice({
      track: threadTrack(builder, process, thread),
      startNs,
      durationNs,
      name,
      kind: 'cuda_runtime',
      source: 0,
    });
    builder.addApiCall(slice, process, letter.charCodeAt(0));
  }
}

function addOperations(builder: TraceBuilder, process: number, {kind, argument, cells}: Line): void {
  const [stream = '0', deviceText = '0'] = argument.split('.').reverse();
  const device = Number(deviceText);
  const track = builder.track({kind: 'stream', process, device, id: stream, name: `Stream ${stream}`, order: 1});
  for (const {letter, startNs, durationNs} of runs(cells)) {
    const sliceKind = kind === 'memcpy' ? 'gpu_memcpy' : 'kernel';
    const name = builder.strings.intern(`kernel_${letter}`);
    const slice = builder.addSlice({track, startNs, durationNs, name, kind: sliceKind, source: 0});
    const correlation = letter === letter.toUpperCase() ? letter.charCodeAt(0) : -1;
    builder.addGpuOperation(slice, {process, device, stream: Number(stream), correlation});
  }
}

function addRanges(builder: TraceBuilder, process: number, {thread, kind, argument, cells}: Line): void {
  const sliceKind = rangeKinds[kind];
  if (!sliceKind) throw new Error(`Unknown kind of line: ${kind}`);
  const track =
    sliceKind === 'nvtx_startend'
      ? builder.track({kind: 'process-ranges', process, device: -1, id: 'ranges', name: 'ranges', order: 5})
      : threadTrack(builder, process, thread);
  for (const {startNs, durationNs} of runs(cells)) {
    builder.addSlice({track, startNs, durationNs, name: builder.strings.intern(argument), kind: sliceKind, source: 0});
  }
}

function threadTrack(builder: TraceBuilder, process: number, thread: string): number {
  return builder.track({kind: 'thread', process, device: -1, id: thread, name: thread, order: 10});
}

function runs(cells: string): {letter: string; startNs: number; durationNs: number}[] {
  return [...cells.matchAll(/([\p{L}=])\1*/gu)].map(run => ({
    letter: run[1] ?? '',
    startNs: run.index * columnNs,
    durationNs: run[0].length * columnNs,
  }));
}
