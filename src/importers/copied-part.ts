import type {PartRows} from '../core/export/part-rows.js';
import type {Trace} from '../core/trace/trace.js';
import {kinetoPart} from './kineto/kineto-part.js';
import {readFileHead} from './reading/file-head.js';
import type {ImportOptions} from './reading/importer.js';

/**
 * The texts of a trace of PyTorch's that has some rows of another, in the words of its file; null where the file is of another
 * profiler, or does not have an event for each row.
 *
 * @throws TraceError `file/…`, `import/cancelled`
 */
export async function copiedPart(
  path: string,
  trace: Trace,
  rows: PartRows,
  options: ImportOptions,
): Promise<string[] | null> {
  // Rows that a capture added have no event in the file.
  if (trace.meta.format !== 'kineto' || trace.capturedCalls.length > 0) return null;
  return kinetoPart(await readFileHead(path), trace, rows, options);
}
