import {basename} from 'node:path';
import {TraceError} from '../../core/base/errors.js';
import {template, say} from '../../core/base/say.js';
import {assumedThreadNotes} from '../../core/attribution/assumed-threads.js';
import type {Trace, TraceNote} from '../../core/trace/trace.js';
import {Enough, streamBytes} from '../reading/byte-stream.js';
import {tooMuchMemory, tooMuchUnpacked, type FileHead, type Importer, type ImportOptions} from '../reading/importer.js';
import {JsonElements} from '../reading/json-elements.js';
import {readRecordArguments} from './read-record.js';
import {readRocprofDetails} from './read-rocprof-details.js';
import {RocprofFile} from './rocprof-file.js';
import {rocprofNotes} from './rocprof-notes.js';

/**
 * Imports JSON that rocprofv3 writes (`--output-format json`), the profiler of ROCm's rocprofiler-sdk, 2024 to 2026:
 * plain, gzip or zstd, of any size.
 *
 * Read: kernels, copies, calls of HIP, HSA, RCCL, rocDecode and rocJPEG, ROCTx ranges and marks, agents, names. Other
 * records (allocations, scratch memory, counters, samples of program counters) are counted in a note.
 *
 * @see docs/formats.md#rocprofv3
 */
export const rocprofImporter: Importer = {
  format: 'rocprof',
  title: template('rocprofv3 profiles'),
  help: 'rocprofv3 profiles (.json, .json.gz, .json.zst) of AMD GPUs',
  patterns: {'*.json.gz': 'open-with', '*.json.zst': 'open-with', '*.json': 'menu'},

  matches({head}: FileHead): boolean {
    return /^(?:\u00ef\u00bb\u00bf)?\s*\{\s*"rocprofiler-sdk-tool"\s*:/.test(head.toString('latin1', 0, 4096));
  },

  // The file's first member names the tool.
  recognises: () => true,

  async read(file: FileHead, options: ImportOptions): Promise<Trace> {
    const read = new RocprofFile(options);
    const elements = new JsonElements(read);
    const loss = await readElements(file, elements, read, options);
    // At the memory limit nothing more may be read.
    const isWhole = read.budget.note === null && elements.end() && !elements.isDamaged;
    read.end();
    if (read.isEmpty) throw nothingRead(file, read, isWhole && loss === null, loss, options);
    const notes = rocprofNotes({
      counts: read.counts,
      loss: read.budget.note ?? loss,
      isTruncated: !isWhole && !elements.isDamaged,
      isDamaged: elements.isDamaged,
      tooLong: elements.tooLong,
      hasGpuWork: read.hasGpuWork,
    });
    const trace = read.trace(notes);
    return {...trace, notes: [...trace.notes, ...assumedThreadNotes(trace)]};
  },

  readArguments: (_file, {source}, read) => readRecordArguments(read, source),
  readDetails: readRocprofDetails,
};

/** Returns why a compressed file was not read to its end, or null. */
async function readElements(
  file: FileHead,
  elements: JsonElements,
  read: RocprofFile,
  {signal, unpackedLimit, onProgress}: ImportOptions,
): Promise<TraceNote | null> {
  const take = (chunk: Uint8Array) => {
    elements.push(chunk);
    if (elements.isDamaged) throw new Enough();
  };
  const onRead = (bytes: number) => onProgress?.({bytes, totalBytes: file.bytes, events: read.elements});
  try {
    return await streamBytes(file, take, {signal, unpackedLimit, onRead});
  } catch (error) {
    if (!(error instanceof Enough)) throw error;
    return null;
  }
}

function nothingRead(
  file: FileHead,
  read: RocprofFile,
  isWhole: boolean,
  loss: TraceNote | null,
  {memoryLimit, unpackedLimit}: ImportOptions,
): TraceError {
  const name = basename(file.path);
  if (read.budget.note) return tooMuchMemory(file, memoryLimit);
  if (loss?.code === 'file/unpacked-limit') return tooMuchUnpacked(file, unpackedLimit);
  if (!isWhole) return new TraceError('import/damaged', say('{0} is cut off or damaged before its first event.', name));
  if (read.counts.untimed > 0)
    return new TraceError('import/no-events', say('{0} has no event with a usable time.', name));
  return new TraceError(
    'import/no-events',
    say('{0} is a rocprofv3 profile without any events that can be shown.', name),
  );
}
