import type {Trace} from '../core/trace/trace.js';
import {kinetoImporter} from './kineto/import-kineto.js';
import {nsysImporter} from './nsys/import-nsys.js';
import type {Importer} from './reading/importer.js';
import {rocprofImporter} from './rocprof/import-rocprof.js';
import {textImporter} from './text/import-text.js';

/** Every format of profiles, in the order in which they are tried. */
export const formats: readonly Importer[] = [nsysImporter, textImporter, rocprofImporter, kinetoImporter];

/** Returns the format of the file that a trace was read from. */
export function formatOf({meta}: Pick<Trace, 'meta'>): Importer {
  const found = formats.find(({format, variants = []}) => format === meta.format || variants.includes(meta.format));
  if (!found) throw new Error(`No importer reads the format ${meta.format}.`);
  return found;
}
