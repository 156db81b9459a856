import type {BigIntStats} from 'node:fs';
import {stat} from 'node:fs/promises';
import {basename, join, relative} from 'node:path';
import {TraceError} from '../core/base/errors.js';
import {profileFigures, type ProfileFigures} from '../core/summary/profile-figures.js';
import {isFolder} from '../importers/files/is-folder.js';
import {jobFiles, type JobPath} from '../importers/files/job-files.js';
import {isZip} from '../importers/files/unzip.js';
import type {CommandContext} from './command.js';
import {FiguresThreads} from './figures-threads.js';
import {leftOutText, listedText, type ListedProfile} from './folder-output.js';
import {limitOfUnpacking, loadTrace} from './load-trace.js';
import {KeptFigures} from './kept-figures.js';
import {memoryLimit} from './memory-option.js';
import {untilStopped} from './until-stopped.js';

/** Returns whether some paths are to be listed, a line for each profile: one of them is a folder or a zip. */
export async function isList(paths: readonly string[]): Promise<boolean> {
  for (const path of paths) if ((await isFolder(path)) || (await isZip(path))) return true;
  return false;
}

/**
 * Writes a row for each profile at some paths, folders and zips among them. A profile that cannot be read has the
 * reason in its row, and sets the exit status; what is no profile at all is counted in a note.
 *
 * @throws TraceError if there is no profile, or a zip cannot be read
 */
export async function listProfiles(context: CommandContext, paths: readonly string[]): Promise<void> {
  const found = await untilStopped(signal => readAll(context, paths, signal));
  const listed = found.flatMap(({profile}) => profile ?? []);
  const leftOut = found.flatMap(({path, profile}) => (profile ? [] : [basename(path)]));
  if (listed.length === 0) {
    const names = paths.map(path => basename(path)).join(', ');
    throw new TraceError('import/unknown-format', `No profile was found in ${names}.`);
  }
  context.write(listedText(listed, context.format));
  if (leftOut.length > 0) context.tellNote(leftOutText(leftOut));
  if (listed.some(({read}) => read instanceof Error)) context.exitWith(1);
}

interface FoundFile {
  readonly path: string;
  /** Null if it is no profile. */
  readonly profile: ListedProfile | null;
}

/** Reads the profiles, small ones in several threads. @throws TraceError `import/cancelled` */
async function readAll(context: CommandContext, paths: readonly string[], signal: AbortSignal): Promise<FoundFile[]> {
  const threads = new FiguresThreads({unpackedLimit: limitOfUnpacking(), memoryLimit: memoryLimit()});
  const kept = await KeptFigures.of(paths);
  const end = () => void threads.end();
  signal.addEventListener('abort', end);
  const found: Promise<FoundFile>[] = [];
  try {
    for await (const file of jobFiles(paths, limitOfUnpacking(), signal)) {
      if (!file.isNamed && isSummary(file)) continue;
      const stats = await stat(file.path, {bigint: true}).catch(() => null);
      const isThreaded = threads.isUseful && isForThread(file, stats);
      const figures = async (path: string) => (isThreaded ? threads.read(path) : profileFigures(await loadTrace(path)));
      const read = listedProfile(file, Number(stats?.size ?? 0), paths, path =>
        // What is unpacked from a zip has another path each time.
        file.place.entry === null ? kept.figures(path, stats, () => figures(path)) : figures(path),
      ).then(profile => {
        context.tellProgress(`Profile ${file.progress}`);
        return {path: file.path, profile};
      });
      // It is waited for below: until then, nobody handles its failure.
      read.catch(() => undefined);
      found.push(read);
      if (!isThreaded) await read;
    }
    const all = await Promise.all(found);
    await kept.save();
    return all;
  } finally {
    signal.removeEventListener('abort', end);
    await threads.end();
    await Promise.allSettled(found);
  }
}

/** The largest files that a thread reads. Others are scanned by a thread of their own; and one is read at a time. */
const mostThreadBytes = {packed: 1 << 20, plain: 16 << 20} as const;

/** Returns whether a file is a small trace. A file of a zip is there only until the next one is requested. */
function isForThread({path, place}: JobPath, stats: BigIntStats | null): boolean {
  if (!/\.json(\.gz|\.zst)?$/i.test(path) || place.entry !== null) return false;
  return stats?.isFile() === true && stats.size < mostThreadBytes[/\.json$/i.test(path) ? 'plain' : 'packed'];
}

/** Returns whether a file is one of `gpu-lens summarize`, which is not a profile. */
function isSummary({path}: JobPath): boolean {
  return path.endsWith('.parquet');
}

/** Codes of errors that say that a file is something else, not a profile that cannot be read. */
const foreignCodes: ReadonlySet<string> = new Set(['import/unknown-format', 'import/not-a-trace', 'import/not-nsys']);

/** Returns null for a file of a folder that is no profile. @throws TraceError `import/cancelled` */
async function listedProfile(
  {path, isNamed, place}: JobPath,
  bytes: number,
  paths: readonly string[],
  figuresOf: (path: string) => Promise<ProfileFigures>,
): Promise<ListedProfile | null> {
  const file = shownName(place, paths);
  try {
    return {file, bytes, read: await figuresOf(path)};
  } catch (error) {
    if (!(error instanceof TraceError) || error.code === 'import/cancelled') throw error;
    if (!isNamed && foreignCodes.has(error.code)) return null;
    return {file, bytes, read: error};
  }
}

/** Below the only folder that was named, a path begins there. */
function shownName({path, entry}: JobPath['place'], [only, ...others]: readonly string[]): string {
  const below = only === undefined || others.length > 0 ? path : relative(only, path);
  return entry === null ? below : join(below, entry);
}
