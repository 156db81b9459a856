import type {MemorySnapshot} from '../core/memory-snapshot/memory-snapshot.js';
import {knownLines} from '../core/source/known-lines.js';
import type {TraceNote} from '../core/trace/trace.js';
import {memoryOfFile} from '../importers/memory-of-file.js';
import {openTrace} from '../importers/open-trace.js';
import {readSidecar} from '../launch/run/sidecar-file.js';
import {readableProfile} from './load-trace.js';
import {tellLosses} from './losses.js';
import {memoryLimit} from './memory-option.js';

/**
 * Reads the memory that a snapshot, a memory timeline or a profile tells of, with progress on standard error where that
 * is a terminal.
 *
 * @throws TraceError; UsageError
 */
export async function loadSnapshot(file: string): Promise<MemorySnapshot> {
  const lines = knownLines(await readSidecar(file), []);
  let notes: readonly TraceNote[] = [];
  const snapshot = await readableProfile(file, ({path, unpackedLimit, signal, tell}) =>
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
      {
        lines,
        open: async (opened, options) => {
          const trace = await openTrace(opened, options);
          notes = trace.notes;
          return trace;
        },
      },
    ),
  );
  tellLosses(file, {notes});
  return snapshot;
}
