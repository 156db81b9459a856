import type {MemorySnapshot} from '../core/memory-snapshot/memory-snapshot.js';
import {knownLines} from '../core/source/known-lines.js';
import {memoryOfFile} from '../importers/memory-of-file.js';
import {readSidecar} from '../launch/run/sidecar-file.js';
import {readableProfile} from './load-trace.js';
import {memoryLimit} from './memory-option.js';

/**
 * Reads the memory that a snapshot, a memory timeline or a profile tells of, with progress on standard error where that
 * is a terminal.
 *
 * @throws TraceError; UsageError
 */
export async function loadSnapshot(file: string): Promise<MemorySnapshot> {
  const lines = knownLines(await readSidecar(file), []);
  return readableProfile(file, ({path, unpackedLimit, signal, tell}) =>
    memoryOfFile(
      path,
      {
        signal,
        unpackedLimit,
        memoryLimit: memoryLimit(),
        onProgress: ({bytes, totalBytes}) => {
          tell(`Reading ${String(Math.floor((100 * bytes) / totalBytes))} %`);
        },
      },
      {lines},
    ),
  );
}
