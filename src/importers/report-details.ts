import {noDetails, type DetailKind, type ReportDetails} from '../core/figures/report-details.js';
import type {Trace} from '../core/trace/trace.js';
import {formatOf} from './formats.js';
import {readFileHead} from './reading/file-head.js';
import type {ImportOptions} from './reading/importer.js';

/**
 * What reports need of a profile besides its trace, read again from the file: grids, blocks, registers, return values,
 * the threads of start/end ranges. Opening a profile stays as fast as it is without.
 *
 * What is not in the file, or is there no more, is absent.
 *
 * @throws TraceError `file/…`, `import/cancelled`
 */
export async function loadReportDetails(
  path: string,
  trace: Trace,
  wanted: ReadonlySet<DetailKind>,
  options: ImportOptions = {},
): Promise<ReportDetails> {
  if (wanted.size === 0) return noDetails;
  const file = await readFileHead(path);
  return formatOf(trace).readDetails(file, trace, wanted, options);
}
