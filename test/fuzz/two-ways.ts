import {isDeepStrictEqual} from 'node:util';
import {TraceError} from '../../src/core/base/errors.js';
import {readFileHead} from '../../src/importers/reading/file-head.js';
import {nsysImporter, readNsys} from '../../src/importers/nsys/import-nsys.js';
import {NotPlain} from '../../src/importers/sqlite/not-plain.js';
import {plainTrace} from '../support/plain-trace.js';

/**
 * What is wrong with how the pages of an export are read, null where nothing is: they tell what SQLite tells, or are left
 * to it. Other files are passed over.
 */
export async function disagreementOfWays(path: string): Promise<string | null> {
  const pages = await outcome(path, 'pages');
  if (pages === null) return null;
  const sql = await outcome(path, 'sql');
  // In which words it is refused does not matter.
  if (typeof pages === 'string' && typeof sql === 'string') return null;
  return isDeepStrictEqual(pages, sql) ? null : 'its pages tell another trace than SQLite';
}

/** The trace, or the sentence that refuses it; null where pages are left to SQLite. */
async function outcome(path: string, way: 'pages' | 'sql'): Promise<Record<string, unknown> | string | null> {
  try {
    const file = await readFileHead(path);
    return nsysImporter.matches(file) ? plainTrace(await readNsys(file, {}, way)) : null;
  } catch (error) {
    if (error instanceof NotPlain) return null;
    if (error instanceof TraceError) return error.message;
    throw error;
  }
}
