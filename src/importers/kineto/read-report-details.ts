import {
  operationDetailsSchema,
  type CallDetails,
  type DetailKind,
  type OperationDetails,
  type ReportDetails,
} from '../../core/stats/report-details.js';
import {StringTable} from '../../core/table/string-table.js';
import {TableBuilder, type Columns} from '../../core/table/table.js';
import {kindIndex} from '../../core/trace/slices.js';
import type {Trace} from '../../core/trace/trace.js';
import {streamBytes} from '../byte-stream.js';
import type {FileHead, ImportOptions} from '../importer.js';
import {endOfValue, needMore} from './json-bytes.js';
import {parseEvent} from './parse-event.js';

/** A longer event is passed over: its arguments count as absent. */
const longestEventBytes = 1 << 20;

/** Reads again from a trace what reports need besides: the file is streamed once, and only kernels are parsed. */
export async function readKinetoReportDetails(
  file: FileHead,
  trace: Trace,
  wanted: ReadonlySet<DetailKind>,
  options: ImportOptions,
): Promise<ReportDetails> {
  return {
    operations: wanted.has('operations') ? await readOperations(file, trace, options) : null,
    calls: wanted.has('calls') ? namedThreads(trace) : null,
    ranges: null,
  };
}

async function readOperations(file: FileHead, trace: Trace, options: ImportOptions): Promise<OperationDetails> {
  const {slices, gpuOperations} = trace;
  const builder = new TableBuilder(operationDetailsSchema, gpuOperations.length);
  while (builder.length < gpuOperations.length) builder.add();
  for (const name of Object.keys(operationDetailsSchema) as (keyof typeof operationDetailsSchema)[]) {
    builder.columns[name].fill(-1);
  }
  const sourceOf = (operation: number) => slices.source[gpuOperations.slice[operation] ?? 0] ?? 0;
  const kernels = Int32Array.from(gpuOperations.slice.keys())
    .filter(operation => slices.kind[gpuOperations.slice[operation] ?? 0] === kindIndex.kernel)
    .sort((a, b) => sourceOf(a) - sourceOf(b));
  const offsets = Float64Array.from(kernels, sourceOf);
  await readEventsAt(file, offsets, options, (event, text) => {
    takeArguments(builder.columns, kernels[event] ?? 0, argumentsOf(text));
  });
  return {table: builder.finish(), strings: new StringTable()};
}

/** Hands over the text of the event at each offset; `offsets` ascend. An event that is cut off or too long is left out. */
async function readEventsAt(
  file: FileHead,
  offsets: Float64Array,
  options: ImportOptions,
  take: (event: number, text: string) => void,
): Promise<void> {
  let event = 0;
  let position = 0;
  let pending: Uint8Array = new Uint8Array(0);
  await streamBytes(
    file,
    chunk => {
      const window = new Uint8Array(pending.length + chunk.length + 2);
      window.set(pending);
      window.set(chunk, pending.length);
      const begin = position - pending.length;
      const length = pending.length + chunk.length;
      position += chunk.length;
      for (; event < offsets.length && (offsets[event] ?? 0) < position; event++) {
        const from = (offsets[event] ?? 0) - begin;
        const end = from < 0 ? -2 : endOfValue(window, from, length);
        if (end === needMore && length - from < longestEventBytes) {
          pending = window.slice(from, length);
          return;
        }
        if (end > 0) take(event, Buffer.from(window.buffer, from, end - from).toString('utf8'));
      }
      pending = new Uint8Array(0);
    },
    {signal: options.signal, onRead: bytes => options.onProgress?.({bytes, totalBytes: file.bytes, events: event})},
  );
}

function argumentsOf(text: string): Readonly<Record<string, unknown>> {
  const args = parseEvent(text)?.['args'];
  return typeof args === 'object' && args !== null ? (args as Record<string, unknown>) : {};
}

function takeArguments(
  columns: Columns<typeof operationDetailsSchema>,
  operation: number,
  args: Readonly<Record<string, unknown>>,
): void {
  const [gridX, gridY, gridZ] = three(args['grid']);
  const [blockX, blockY, blockZ] = three(args['block']);
  columns.gridX[operation] = gridX;
  columns.gridY[operation] = gridY;
  columns.gridZ[operation] = gridZ;
  columns.blockX[operation] = blockX;
  columns.blockY[operation] = blockY;
  columns.blockZ[operation] = blockZ;
  columns.registers[operation] = wholeNumber(args['registers per thread']);
  // Kineto adds up what the kernel declares and what the launch asks for.
  columns.dynamicSharedBytes[operation] = wholeNumber(args['shared memory']);
  columns.context[operation] = wholeNumber(args['context']);
}

function three(value: unknown): [number, number, number] {
  const list: unknown[] = Array.isArray(value) ? value : [];
  return [wholeNumber(list[0]), wholeNumber(list[1]), wholeNumber(list[2])];
}

function wholeNumber(value: unknown): number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : -1;
}

/** Threads have the names of their tracks, where the trace gives them one. */
function namedThreads({tracks, apiCalls}: Trace): CallDetails {
  const threads = new Map<number, {name: string | null; priority: null}>();
  tracks.forEach(({kind, name}, track) => {
    if (kind === 'thread' && !/^thread \d+( \(main\))?$/.test(name)) threads.set(track, {name, priority: null});
  });
  return {returnValue: new Float64Array(apiCalls.length).fill(NaN), threads};
}
