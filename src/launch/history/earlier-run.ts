import {readdir, stat} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import {readSidecar} from '../run/sidecar-file.js';

/** A run's folder: when it began, the script's name, and a number where several began in one second. */
const runFolder = /^(\d{8}-\d{6})-(.+?)(?:-(\d+))?$/;
/** Runs that recorded nothing are passed over, so many of them. */
const mostLookedAt = 20;

/**
 * The trace of the run of the same script before the one that a trace is of: a file of the same name in an earlier
 * folder beside its own, whose sidecar names the same script: folders have but the end of its path. Null where there is
 * none, or the trace lies in no run's folder.
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
    if ((await isFile(path)) && (await scriptOf(path)) === ownScript) return path;
  }
  return null;
}

/** Null for what has no sidecar, which a report of nsys has not, or an earlier runner's. */
async function scriptOf(trace: string): Promise<string | null> {
  return (await readSidecar(trace).catch(() => null))?.script ?? null;
}

function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    found => found.isFile(),
    () => false,
  );
}
