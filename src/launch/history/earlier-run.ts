import {readdir} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import {readSidecar} from '../run/sidecar-file.js';
import {isRegularFile} from '../programs/regular-file.js';

/** A run's folder name: start time, script name, and a number if several began in one second. */
const runFolder = /^(\d{8}-\d{6})-(.+?)(?:-(\d+))?$/;
/** How many runs without a recording are skipped before the search ends. */
const mostLookedAt = 20;

/**
 * Returns the trace of the previous run of the same script: a file of the same name in an earlier folder beside the
 * trace's own. Its sidecar must name the same script, because a folder's name has only the end of the script's path.
 * Null if there is none, or if the trace is not in a run's folder.
 */
export async function earlierTrace(trace: string): Promise<string | null> {
  const folder = dirname(trace);
  const own = runFolder.exec(basename(folder));
  if (!own) return null;
  const [, stamp = '', script = '', number = '1'] = own;
  const names = await readdir(dirname(folder)).catch((): string[] => []);
  const earlier = names
    .map(name => runFolder.exec(name))
    .filter(found => found !== null)
    .map(([name, at = '', of = '', count = '1']) => ({name, at, of, count: Number(count)}))
    .filter(({at, of, count}) => of === script && (at < stamp || (at === stamp && count < Number(number))))
    .sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : b.count - a.count));
  const ownScript = await scriptOf(trace);
  for (const {name} of earlier.slice(0, mostLookedAt)) {
    const path = join(dirname(folder), name, basename(trace));
    if ((await isRegularFile(path)) && (await scriptOf(path)) === ownScript) return path;
  }
  return null;
}

/** Null if there is no sidecar: nsys reports and earlier runners have none. */
async function scriptOf(trace: string): Promise<string | null> {
  return (await readSidecar(trace).catch(() => null))?.script ?? null;
}
