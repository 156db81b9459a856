import {basename} from 'node:path';
import {TraceError} from '../core/base/errors.js';
import {say} from '../core/base/say.js';
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
      say(
        '{0} contains raw events of Nsight Systems. On a machine with Nsight Systems, run {1} and open the .nsys-rep file that it writes.',
        name,
        importCommand(name),
      ),
    );
  }
  const version = nsysReportVersion(head);
  if (version !== null) {
    return new TraceError(
      'import/nsys-report',
      say(
        '{0} is an Nsight Systems {1} report, which only nsys can read. Run {2} with that version or a later one, and open the .sqlite file.',
        name,
        version,
        exportCommand(name),
      ),
    );
  }
  if (looksLikePickle(head)) {
    return new TraceError(
      'import/unknown-format',
      say(
        '{0} is a pickle file. If it is a memory snapshot of PyTorch, gpu-lens memory shows what holds the memory.',
        name,
      ),
    );
  }
  if (head.subarray(0, 4).toString('latin1') === 'PAR1') {
    return new TraceError(
      'import/unknown-format',
      say('{0} is a Parquet file. If it is a summary of a rank, gpu-lens job reads it.', name),
    );
  }
  if (isZipHead(head)) {
    return new TraceError(
      'import/unknown-format',
      say(
        '{0} is a zip file. Unpack it and open a profile from it. gpu-lens info lists the profiles in a zip file, and gpu-lens job reads them as ranks.',
        name,
      ),
    );
  }
  if (head.length === 0)
    return new TraceError('import/damaged', say('{0} is damaged: nothing in it can be decompressed.', name));
  const titles = formats.map(({title}) => say(title));
  const others = titles.slice(0, -1).join(say(', '));
  const text = say('GPU Lens cannot open {0}. It opens {1} and {2}.', name, others, titles.at(-1) ?? '');
  return new TraceError('import/unknown-format', text);
}
