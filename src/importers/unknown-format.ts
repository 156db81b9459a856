import {basename} from 'node:path';
import {TraceError} from '../core/base/errors.js';
import {exportCommand, importCommand, nsysReportVersion} from '../core/trace/nsys-report.js';
import {isZipHead} from './files/zip-head.js';
import {formats} from './formats.js';
import {looksLikePickle} from './pickle/looks-like-pickle.js';
import type {FileHead} from './reading/importer.js';

/** Returns the error for a file that no importer recognises. */
export function unknownFormat({path, head}: FileHead): TraceError {
  const name = basename(path);
  if (/\.qdstrm$/i.test(name)) {
    return new TraceError(
      'import/nsys-report',
      `${name} has raw events of Nsight Systems: where it is installed, run ${importCommand(name)} and open the .nsys-rep that it writes.`,
    );
  }
  const version = nsysReportVersion(head);
  if (version !== null) {
    return new TraceError(
      'import/nsys-report',
      `${name} is an Nsight Systems ${version} report, which only nsys can read: run ${exportCommand(name)} with that version or a later one and open the .sqlite file.`,
    );
  }
  if (looksLikePickle(head)) {
    return new TraceError(
      'import/unknown-format',
      `${name} is a pickle, which may be a memory snapshot of PyTorch: gpu-lens memory shows what holds the memory in it.`,
    );
  }
  if (head.subarray(0, 4).toString('latin1') === 'PAR1') {
    return new TraceError(
      'import/unknown-format',
      `${name} is a Parquet file, which may be a summary of a rank: gpu-lens job reads it.`,
    );
  }
  if (isZipHead(head)) {
    return new TraceError(
      'import/unknown-format',
      `${name} is a zip: unpack it, and open a profile from it. gpu-lens info lists the profiles in a zip, and gpu-lens job reads them as ranks.`,
    );
  }
  if (head.length === 0)
    return new TraceError('import/damaged', `${name} is damaged: nothing in it can be decompressed.`);
  const titles = formats.map(({title}) => title);
  const others = titles.slice(0, -1).join(', ');
  return new TraceError('import/unknown-format', `${name} is neither ${others} nor ${titles.at(-1) ?? ''}.`);
}
