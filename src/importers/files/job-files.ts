import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import type {RankPlace} from '../../core/job/job-rank.js';
import type {UnpackedLimit} from '../../core/trace/unpacked-limit.js';
import {throwIfCancelled} from '../reading/importer.js';
import {isFolder} from './is-folder.js';
import {isZip, zippedFiles} from './unzip.js';

/** A profile or summary to read. */
export interface JobPath {
  readonly path: string;
  /** Whether the user named it, rather than its folder or zip. */
  readonly isNamed: boolean;
  /** Its permanent place: the path itself, or its name in a zip. */
  readonly place: RankPlace;
  /** "2 of 8"; in a zip, only the number is known. */
  readonly progress: string;
}

/** File names that profilers and `gpu-lens summarize` use. */
const profileName = /\.(json|json\.gz|json\.zst|sqlite|nsys-rep|qdrep|parquet)$/i;

/**
 * Yields the profiles at some paths, sorted by name: files unconditionally, and from folders and zips what looks like a
 * profile. In folders, summaries come first. A file from a zip exists until the next one is requested.
 *
 * @param limit what a zip may unpack to
 * @throws TraceError for a zip that cannot be read; `import/cancelled`
 */
export async function* jobFiles(
  paths: readonly string[],
  limit: UnpackedLimit | undefined,
  signal: AbortSignal,
): AsyncGenerator<JobPath> {
  const found: {path: string; isNamed: boolean; isZip: boolean}[] = [];
  for (const path of paths) {
    // A missing file is reported when it is opened.
    if (!(await isFolder(path))) {
      found.push({path, isNamed: true, isZip: await isZip(path)});
      continue;
    }
    const names = await readdir(path, {recursive: true});
    const isSummary = (name: string) => name.endsWith('.parquet');
    const inOrder = profileNames(names).sort(byNumbers);
    // Summaries come first, because then their profiles need not be read.
    for (const name of [...inOrder.filter(isSummary), ...inOrder.filter(one => !isSummary(one))]) {
      found.push({path: join(path, name), isNamed: false, isZip: false});
    }
  }
  for (const [at, {path, isNamed, isZip: isPacked}] of found.entries()) {
    // A small file is read without a look at the signal.
    throwIfCancelled(signal, path);
    if (isPacked) yield* filesOfZip(path, limit, signal);
    else {
      const progress = `${String(at + 1)} of ${String(found.length)}`;
      yield {path, isNamed, place: {path, entry: null}, progress};
    }
  }
}

async function* filesOfZip(
  zip: string,
  limit: UnpackedLimit | undefined,
  signal: AbortSignal,
): AsyncGenerator<JobPath> {
  let count = 0;
  for await (const {path, entry} of zippedFiles(zip, profileNames, limit, signal)) {
    yield {path, isNamed: false, place: {path: zip, entry}, progress: String(++count)};
  }
}

/** What the recorder writes beside the profile of a rank: captured graphs, and a step with the lines of calls. */
const besideProfile = /\.(capture|lines)(\.pid\d+(-\d+)?)?\.pt\.trace\.json\.gz$/;

/** Returns the names of profiles. A report whose export lies beside it, as nsys writes it, is the same profile. */
function profileNames(names: readonly string[]): string[] {
  const all = new Set(names);
  const hasExport = (name: string) => /\.(nsys-rep|qdrep)$/i.test(name) && all.has(name.replace(/\.[^.]+$/, '.sqlite'));
  return names.filter(name => isProfileName(name) && !hasExport(name));
}

/** Files that the recorder writes beside profiles are no profiles, or not of further ranks. */
function isProfileName(name: string): boolean {
  return profileName.test(name) && !name.endsWith('.meta.json') && !besideProfile.test(name);
}

/** Sorts `rank2` before `rank10`. */
const byNumbers = new Intl.Collator('en', {numeric: true}).compare;
