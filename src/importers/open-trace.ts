import {basename} from 'node:path';
import {TraceError} from '../core/errors.js';
import {exportCommand, nsysReportVersion} from '../core/nsys-report.js';
import type {Trace} from '../core/trace/trace.js';
import {readFileHead} from './file-head.js';
import type {FileHead, Importer, ImportOptions} from './importer.js';
import {kinetoImporter} from './kineto/import-kineto.js';
import {nsysImporter} from './nsys/import-nsys.js';

const importers: readonly Importer[] = [nsysImporter, kinetoImporter];

/**
 * Imports a profile of any known format, chosen by its content.
 *
 * @throws TraceError `file/…` where the file cannot be read, `import/…` where it is no profile or holds no event, each
 * with one sentence that names the file
 */
export async function openTrace(path: string, options: ImportOptions = {}): Promise<Trace> {
  const file = await readFileHead(path);
  const importer = importers.find(candidate => candidate.matches(file));
  if (!importer) throw unknownFormat(file);
  return importer.read(file, options);
}

function unknownFormat({path, head}: FileHead): TraceError {
  const name = basename(path);
  const version = nsysReportVersion(head);
  if (version !== null) {
    return new TraceError(
      'import/nsys-report',
      `${name} is an Nsight Systems ${version} report, which only nsys can read: run ${exportCommand(name)} with that version or a later one and open the .sqlite file.`,
    );
  }
  if (head.length === 0)
    return new TraceError('import/damaged', `${name} is damaged: nothing in it can be decompressed.`);
  return new TraceError(
    'import/unknown-format',
    `${name} is neither a PyTorch profiler trace nor an Nsight Systems export.`,
  );
}
