import {template} from '../../core/base/say.js';
import {noDetails} from '../../core/figures/report-details.js';
import {memoryLimitNote} from '../../core/trace/memory-limit.js';
import type {TextTable} from '../../core/trace/text-table.js';
import {TraceBuilder} from '../../core/trace/trace-builder.js';
import {noteOf, type TraceNote} from '../../core/trace/trace-note.js';
import type {Trace} from '../../core/trace/trace.js';
import {Enough, streamBytes} from '../reading/byte-stream.js';
import type {FileHead, Importer, ImportOptions} from '../reading/importer.js';
import {readTextTables} from './read-text-tables.js';

/** A text of this size takes about a second; longer logs are read up to here, with a note. */
const mostBytes = 64 << 20;
/** This much of a text decides whether it has a table, which takes a tenth of a second. */
const mostRecognisedBytes = 4 << 20;
/** Memory per byte of a text that consists only of tables, for its lines, cells and rows. */
const memoryPerByte = 25;

/**
 * Imports texts with tables printed by `nsys stats`, PyTorch's `key_averages().table()` or a benchmark: logs, notes,
 * Markdown, in UTF-8 or UTF-16.
 *
 * @see docs/formats.md#text-reports
 */
export const textImporter: Importer = {
  format: 'text',
  title: template('texts with tables that nsys stats or PyTorch printed'),
  help: 'texts with tables that nsys stats or PyTorch printed',
  patterns: {'*.txt': 'dialog', '*.log': 'dialog', '*.md': 'dialog'},

  matches({head}: FileHead): boolean {
    if (head.length === 0) return false;
    if (isUtf16(head)) return true;
    // `[1/8] [====100%] profile.nsys-rep` is how nsys's output begins, and is not JSON.
    const start = head
      .toString('latin1', 0, 4096)
      .trimStart()
      .replace(/^\u00ef\u00bb\u00bf/, '')
      .trimStart();
    return !head.includes(0) && (!/^[[{]/.test(start) || /^\[\d+\/\d+\]/.test(start));
  },

  async recognises(file: FileHead): Promise<boolean> {
    const {text} = await readText(file, {unpackedLimit: {bytes: mostRecognisedBytes, name: ''}});
    return readTextTables(text).tables.length > 0;
  },

  async read(file: FileHead, options: ImportOptions): Promise<Trace | null> {
    const {text, loss} = await readText(file, options);
    const {tables, notes} = readTextTables(text);
    return tables.length === 0 ? null : textTrace(tables, [printedNote, ...loss, ...notes]);
  },

  // A printed table has no further data.
  readArguments: () => Promise.resolve([]),
  readDetails: () => Promise.resolve(noDetails),
};

const printedNote = noteOf(
  'text/printed',
  'This file is text. It contains tables that were printed, as precisely as they were printed, and no events.',
);

async function readText(file: FileHead, options: ImportOptions): Promise<{text: string; loss: TraceNote[]}> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  const loss: TraceNote[] = [];
  const {memoryLimit} = options;
  const limitBytes = Math.min(mostBytes, Math.floor((memoryLimit?.bytes ?? Infinity) / memoryPerByte));
  try {
    const note = await streamBytes(
      file,
      chunk => {
        // The buffer of a chunk is reused.
        parts.push(chunk.slice(0, Math.max(0, limitBytes - bytes)));
        bytes += chunk.length;
        if (bytes > limitBytes) throw new Enough();
      },
      {
        signal: options.signal,
        unpackedLimit: options.unpackedLimit,
        onRead: read => options.onProgress?.({bytes: read, totalBytes: file.bytes, events: 0}),
      },
    );
    if (note) loss.push(note);
  } catch (error) {
    if (!(error instanceof Enough)) throw error;
    loss.push(
      limitBytes < mostBytes && memoryLimit
        ? memoryLimitNote(memoryLimit)
        : noteOf('text/too-long', 'GPU Lens read only the first 64 MB of the text.'),
    );
  }
  const all = Buffer.concat(parts);
  return {text: isUtf16(all) ? all.toString('utf16le', 2) : all.toString('utf8'), loss};
}

/** PowerShell's output begins with these bytes. */
function isUtf16(bytes: Uint8Array): boolean {
  return bytes[0] === 0xff && bytes[1] === 0xfe;
}

function textTrace(textTables: readonly TextTable[], notes: readonly TraceNote[]): Trace {
  const reports = textTables.map(({report}) => report);
  const profilers = [
    ...(reports.some(report => report !== 'key_averages' && report !== 'benchmark') ? ['nsys stats'] : []),
    ...(reports.includes('key_averages') ? ['PyTorch key_averages'] : []),
  ];
  const none = {kernels: 0, memcpys: 0, memsets: 0, apiCalls: 0, cpuOps: 0, ranges: 0, pythonFrames: 0, flows: 0};
  return new TraceBuilder({slices: 1}).finish({
    meta: {
      format: 'text',
      profiler: profilers.join(', ') || 'benchmark',
      version: null,
      driver: null,
      rank: null,
      worldSize: null,
      groupSize: null,
    },
    baseNs: 0n,
    counts: none,
    notes,
    textTables,
  });
}
