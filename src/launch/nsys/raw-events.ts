import {copyFile, lstat, readdir, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {basename, dirname, join, resolve} from 'node:path';

/** The file name that nsys gives the raw events it collects. */
const rawName = /^nsys-report-[\w-]+\.qdstrm$/;

/**
 * Returns the paths of raw events in the folder for temporary files; before a run begins, they are of other runs.
 * (Times cannot tell them apart: file times come from another clock than the system time and can be earlier.)
 *
 * @param temporary the folder for temporary files in the run's environment
 */
export async function rawEventsIn(temporary: string | undefined): Promise<ReadonlySet<string>> {
  const paths = new Set<string>();
  for (const folder of temporaryFolders(temporary)) {
    const names = await readdir(folder).catch(() => []);
    for (const name of names) if (rawName.test(name)) paths.add(join(folder, name));
  }
  return paths;
}

/**
 * Moves the raw events of a run that was ended to its other files. nsys collects them among the temporary files and
 * prints the path ("Generating '/tmp/nsys-report-1a2b.qdstrm'"). The output also contains the program's own text, so a
 * file is taken only if it has such a name, is in such a folder, and did not exist before the run.
 *
 * Returns a sentence that says where the events are if they could not be moved; none otherwise.
 *
 * @param base path of the report without its extension
 * @param before what `rawEventsIn` returned before the run
 * @param temporary the folder for temporary files in the run's environment
 */
export async function keepRawEvents(
  output: string,
  base: string,
  before: ReadonlySet<string>,
  temporary: string | undefined,
): Promise<string[]> {
  const said = [...output.matchAll(/^Generating '([^'\n]+)'/gm)].at(-1)?.[1];
  if (said === undefined || !rawName.test(basename(said))) return [];
  const path = resolve(said);
  if (!temporaryFolders(temporary).includes(dirname(path)) || before.has(path)) return [];
  const found = await lstat(path).catch(() => null);
  if (!found?.isFile()) return [];
  try {
    await copyFile(path, `${base}.qdstrm`);
  } catch (error) {
    // A partial copy is not a report.
    await rm(`${base}.qdstrm`, {force: true}).catch(() => undefined);
    const reason = error instanceof Error ? error.message : String(error);
    return [`What nsys collected is at ${path}: it could not be copied to the run's other files (${reason}).`];
  }
  await rm(path, {force: true}).catch(() => undefined);
  return [];
}

function temporaryFolders(temporary: string | undefined): string[] {
  // An empty variable names no folder, in particular not the working folder.
  const own = temporary === undefined || temporary === '' ? tmpdir() : temporary;
  return [own, '/tmp', '/var/tmp'].map(folder => resolve(folder));
}
