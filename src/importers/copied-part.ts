import type {PartRows} from '../core/export/part-rows.js';
import type {Trace} from '../core/trace/trace.js';
import {formatOf} from './formats.js';
import {readFileHead} from './reading/file-head.js';
import type {ImportOptions} from './reading/importer.js';

/** Returns whether parts of a trace can be copied from its file, so that saving one loses least as PyTorch's format. */
export function copiesParts(trace: Pick<Trace, 'meta'>): boolean {
  return formatOf(trace).parts?.copies(trace.meta) ?? false;
}

/**
 * Returns the texts of a file with some rows of a trace, copied from its own file; null if its format is only written
 * anew, or the file lacks an event for each row.
 *
 * @throws TraceError `file/…`, `import/cancelled`
 */
export async function copiedPart(
  path: string,
  trace: Trace,
  rows: PartRows,
  options: ImportOptions,
): Promise<string[] | null> {
  const {parts} = formatOf(trace);
  // Rows added by a capture have no event in the file.
  if (!parts?.copies(trace.meta) || trace.capturedCalls.length > 0) return null;
  return parts.copy(await readFileHead(path), trace, rows, options);
}
