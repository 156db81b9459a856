import {basename} from 'node:path';
import {TraceError} from '../../core/base/errors.js';
import {say, template} from '../../core/base/say.js';
import {memoryLimitCode, memoryLimitNote} from '../../core/trace/memory-limit.js';
import type {ExpectedRows} from '../../core/trace/trace-builder.js';
import type {Trace} from '../../core/trace/trace.js';
import {Enough} from '../reading/byte-stream.js';
import {tooMuchMemory, tooMuchUnpacked, type FileHead, type Importer, type ImportOptions} from '../reading/importer.js';
import {kinetoPart} from './kineto-part.js';
import {KinetoTraceBuilder} from './kineto-trace-builder.js';
import {isSmall, readChromeTrace, type FileOutcome} from './read-chrome-trace.js';
import {readEventArguments} from './read-event.js';
import {readKinetoReportDetails} from './read-report-details.js';
import {scanInThread, scanProgramFor} from './scan-in-thread.js';

/** The most rows that a small file can make us reserve. */
const mostExpected = 16 << 20;

/**
 * Imports Chrome trace JSON as the PyTorch profiler (Kineto) writes it, 2021 to 2026, on CUDA and ROCm: object or bare
 * array, plain, gzip or zstd. Chrome traces of other programs open as threads with slices.
 *
 * Read: slices (X; B and E), metadata (M), `fwdbwd` flows, counters, instants (including memory) and asynchronous
 * events. Deliberately skipped: `ac2g` flows, since correlation ids contain the same.
 */
export const kinetoImporter: Importer = {
  format: 'kineto',
  variants: ['chrome'],
  title: template('PyTorch profiler traces'),
  help: 'PyTorch profiler traces (.json, .json.gz, .json.zst)',
  patterns: {
    '*.pt.trace.json': 'default',
    '*.pt.trace.json.gz': 'default',
    '*.json.gz': 'open-with',
    '*.json.zst': 'open-with',
    '*.json': 'menu',
  },

  matches({head}: FileHead): boolean {
    const start = head
      .toString('latin1', 0, 4096)
      .replace(/^\u00ef\u00bb\u00bf/, '')
      .trimStart();
    return start.startsWith('{') || start.startsWith('[');
  },

  recognises: ({head}) => /"traceEvents"\s*:\s*\[|"ph"\s*:\s*"[A-Za-z]"/.test(head.toString('latin1')),

  async read(file: FileHead, options: ImportOptions): Promise<Trace> {
    const trace = new KinetoTraceBuilder(expectedRows(file), isSmall(file), options.memoryLimit);
    options.onBegin?.(() => trace.draft);
    const {outcome, loss} = await readEvents(file, trace, options);
    if (trace.isEmpty) {
      if (loss?.code === 'file/unpacked-limit') throw tooMuchUnpacked(file, options.unpackedLimit);
      if (loss?.code === memoryLimitCode) throw tooMuchMemory(file, options.memoryLimit);
      throw noEvents(file, outcome, loss !== null, trace.untimedCount > 0);
    }
    return trace.finish(outcome, loss);
  },

  readArguments: (_file, {source, name}, read) => readEventArguments(read, source, name),
  readDetails: readKinetoReportDetails,
  // Chrome traces of other programs are written anew.
  parts: {copies: ({format}) => format === kinetoImporter.format, copy: kinetoPart},
};

/** Reads a file to its end, or until the trace reaches the memory limit. */
async function readEvents(file: FileHead, trace: KinetoTraceBuilder, options: ImportOptions): Promise<FileOutcome> {
  const program = scanProgramFor(file);
  try {
    return await (program === null
      ? readChromeTrace(file, trace, options)
      : scanInThread(program, file, trace, options));
  } catch (error) {
    if (!(error instanceof Enough) || !options.memoryLimit) throw error;
    const outcome = {events: 0, malformedEvents: 0, isTruncated: false, hasTrailingData: false, hasTraceEvents: true};
    return {outcome, loss: memoryLimitNote(options.memoryLimit)};
  }
}

/** Kineto takes about 300 bytes per slice, 20 after gzip. Too low an estimate only costs a copy. */
function expectedRows({bytes, compression}: FileHead): ExpectedRows {
  const slices = Math.min(mostExpected, 1024 + bytes / (compression === 'none' ? 300 : 20));
  return {slices, operators: slices / 2, apiCalls: slices / 3, gpuOperations: slices / 6};
}

function noEvents(file: FileHead, outcome: FileOutcome['outcome'], isCut: boolean, isUntimed: boolean): TraceError {
  const name = basename(file.path);
  const {events, malformedEvents, isTruncated, hasTraceEvents} = outcome;
  if (isUntimed) return new TraceError('import/no-events', say('{0} has no event with a usable time.', name));
  if (isTruncated || isCut)
    return new TraceError('import/damaged', say('{0} is cut off or damaged before its first event.', name));
  if (events > 0) return new TraceError('import/no-events', say('{0} is a Chrome trace without any slices.', name));
  if (hasTraceEvents && malformedEvents === 0) {
    return new TraceError(
      'import/no-events',
      say('{0} is a trace without events. Nothing ran while the profiler recorded.', name),
    );
  }
  return new TraceError(
    'import/not-a-trace',
    say('{0} is JSON, but not a profiler trace: it has no traceEvents.', name),
  );
}
