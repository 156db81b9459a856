import type {MemorySnapshot} from '../core/memory-snapshot/memory-snapshot.js';
import {readMemorySnapshot} from '../importers/pickle/read-memory-snapshot.js';
import {readableProfile} from './load-trace.js';
import {memoryLimit} from './memory-option.js';

/** Reads a memory snapshot, with progress on standard error where that is a terminal. @throws TraceError; UsageError */
export async function loadSnapshot(file: string): Promise<MemorySnapshot> {
  return readableProfile(file, ({path, unpackedLimit, signal, tell}) =>
    readMemorySnapshot(path, {
      signal,
      unpackedLimit,
      memoryLimit: memoryLimit(),
      onProgress: ({bytes, totalBytes}) => {
        tell(`Reading ${String(Math.floor((100 * bytes) / totalBytes))} %`);
      },
    }),
  );
}
