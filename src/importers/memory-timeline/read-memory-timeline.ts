import {basename} from 'node:path';
import {TraceError} from '../../core/base/errors.js';
import {say} from '../../core/base/say.js';
import type {MemorySnapshot} from '../../core/memory-snapshot/memory-snapshot.js';
import {HeldMemory} from '../pickle/held-memory.js';
import {streamBytes} from '../reading/byte-stream.js';
import {readFileHead} from '../reading/file-head.js';
import type {ImportOptions} from '../reading/importer.js';
import {NumberLists} from './number-lists.js';
import {timelineSnapshot} from './timeline-history.js';
import {TimelineReader} from './timeline-reader.js';

/**
 * Returns whether an unpacked file begins like a memory timeline: a list of lists of numbers, which no profile does.
 */
export function looksLikeTimeline(head: Buffer): boolean {
  return /^\s*\[\s*\[\s*(?:-?\d|\]\s*,\s*\[\s*\])/.test(head.toString('latin1', 0, 256));
}

/**
 * Reads the `.json`, `.json.gz` and `.raw.json.gz` files of `torch.profiler.profile.export_memory_timeline`. Its
 * `.html` contains only a picture.
 *
 * @throws TraceError `file/…` if the file cannot be read, `import/…` if it is damaged or too large
 */
export async function readMemoryTimeline(path: string, options: ImportOptions = {}): Promise<MemorySnapshot> {
  const file = await readFileHead(path);
  const name = basename(path);
  const held = new HeldMemory(options.memoryLimit);
  const reader = new TimelineReader(held);
  const lists = new NumberLists(reader);
  const read = (chunk: Uint8Array) => {
    try {
      lists.write(chunk);
    } catch (error) {
      throw error instanceof TraceError ? new TraceError(error.code, `${name}: ${error.message}`) : error;
    }
  };
  await streamBytes(file, read, {
    signal: options.signal,
    unpackedLimit: options.unpackedLimit,
    onRead: bytes => options.onProgress?.({bytes, totalBytes: file.bytes, events: 0}),
  });
  if (!lists.isDone) throw new TraceError('import/damaged', say('{0} is cut off. Write or copy it again.', name));
  const changes = reader.finish();
  if (changes.bytes.length === 0)
    throw new TraceError('import/no-events', say('{0} holds no memory and no history.', name));
  return timelineSnapshot(changes);
}
