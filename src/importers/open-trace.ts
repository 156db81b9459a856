import type {Trace} from '../core/trace/trace.js';
import {formats} from './formats.js';
import {readFileHead} from './reading/file-head.js';
import type {ImportOptions} from './reading/importer.js';
import {withJudgedTimes} from './judged-times.js';
import {withRecordedCapture} from './recorded-capture.js';
import {unknownFormat} from './unknown-format.js';

/**
 * Imports a profile of any known format, detected by its content. If its recorder saw its graphs captured, their
 * replays have what was captured.
 *
 * @throws TraceError `file/…` if the file cannot be read, `import/…` if it is not a profile or has no events, each with
 *   one sentence that names the file
 */
export async function openTrace(path: string, options: ImportOptions = {}): Promise<Trace> {
  return withRecordedCapture(path, await readTrace(path, options), options, readTrace);
}

async function readTrace(path: string, options: ImportOptions): Promise<Trace> {
  const file = await readFileHead(path);
  const trace = await formats.find(({matches}) => matches(file))?.read(file, options);
  if (!trace) throw unknownFormat(file);
  return withJudgedTimes(path, trace, options);
}
