import type {PartRows} from '../core/export/part-rows.js';
import type {Trace} from '../core/trace/trace.js';
import {kinetoPart} from './kineto/kineto-part.js';
import {readFileHead} from './reading/file-head.js';
import type {ImportOptions} from './reading/importer.js';

/**
 * Returns the texts of a PyTorch trace with some rows of another, copied from its file; null if the file is another
 * profiler's, or lacks an event for each row.
 *
 * @throws TraceError `file/…`, `import/cancelled`
 */
export async function copiedPart(
  path: string,
  trace: Trace,
  rows: PartRows,
  options: ImportOptions,
): Promise<string[] | null> {
  // Rows added by a capture have no event in the file.
  if (trace.meta.format !== 'kineto' || trace.capturedCalls.length > 0) return null;
  return kinetoPart(await readFileHead(path), trace, rows, options);
}
