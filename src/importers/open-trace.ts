import type {Trace} from '../core/trace/trace.js';
import {readFileHead} from './reading/file-head.js';
import type {Importer, ImportOptions} from './reading/importer.js';
import {withJudgedTimes} from './judged-times.js';
import {kinetoImporter} from './kineto/import-kineto.js';
import {nsysImporter} from './nsys/import-nsys.js';
import {textImporter} from './text/import-text.js';
import {unknownFormat} from './text/unknown-format.js';

const importers: readonly Importer[] = [nsysImporter, textImporter, kinetoImporter];

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
  return withJudgedTimes(path, await importer.read(file, options), options);
}
