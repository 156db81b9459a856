import {noDetails, type DetailKind, type ReportDetails} from '../core/figures/report-details.js';
import type {Trace} from '../core/trace/trace.js';
import {formatOf} from './formats.js';
import {readFileHead} from './reading/file-head.js';
import type {ImportOptions} from './reading/importer.js';

/**
 * Reads the data that reports need besides the trace again from the file: grids, blocks, registers, return values, the
 * threads of start/end ranges. Reading them on demand keeps opening a profile fast.
 *
 * Data that the file lacks is absent.
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
