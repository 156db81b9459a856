import {readdir, stat} from 'node:fs/promises';
import {join} from 'node:path';
import {isZip, zippedFiles} from '../importers/files/unzip.js';
import {limitOfUnpacking} from './load-trace.js';

/** A profile or summary to read. */
export interface JobPath {
  readonly path: string;
  /** Whether it was named itself, and not found in a folder or a zip. */
  readonly isNamed: boolean;
  /** "2 of 8"; of a zip only the number is known. */
  readonly progress: string;
}

/** How profilers call their files, and `gpu-lens summarize` its own. */
const profileName = /\.(json|json\.gz|json\.zst|sqlite|nsys-rep|qdrep|parquet)$/i;

/**
 * Gives the profiles at some paths, in the order of their names: files as they are, of folders and zips what looks like
 * one, summaries first in folders. A file of a zip is there until the next is asked for.
 *
 * @throws TraceError for a zip that cannot be read
 */
export async function* jobFiles(paths: readonly string[], signal: AbortSignal): AsyncGenerator<JobPath> {
  const found: {path: string; isNamed: boolean; isZip: boolean}[] = [];
  for (const path of paths) {
    // What is not there is said by whoever opens it.
    const isFolder = (await stat(path).catch(() => null))?.isDirectory() === true;
    if (!isFolder) {
      found.push({path, isNamed: true, isZip: await isZip(path)});
      continue;
    }
    const names = await readdir(path, {recursive: true});
    const isSummary = (name: string) => name.endsWith('.parquet');
    const inOrder = names.filter(one => isProfileName(one)).sort(byNumbers);
    // Summaries first: whoever reads them need not read their profiles.
    for (const name of [...inOrder.filter(isSummary), ...inOrder.filter(one => !isSummary(one))]) {
      found.push({path: join(path, name), isNamed: false, isZip: false});
    }
  }
  for (const [at, {path, isNamed, isZip: isPacked}] of found.entries()) {
    if (isPacked) yield* filesOfZip(path, signal);
    else yield {path, isNamed, progress: `${String(at + 1)} of ${String(found.length)}`};
  }
}

async function* filesOfZip(zip: string, signal: AbortSignal): AsyncGenerator<JobPath> {
  let count = 0;
  for await (const path of zippedFiles(zip, isProfileName, limitOfUnpacking(), signal)) {
    yield {path, isNamed: false, progress: String(++count)};
  }
}

/** What the runner writes beside its profiles is none. */
function isProfileName(name: string): boolean {
  return profileName.test(name) && !name.endsWith('.meta.json');
}

/** `rank2` before `rank10`. */
const byNumbers = new Intl.Collator('en', {numeric: true}).compare;
