import {copyFile, lstat, readdir, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {basename, dirname, join, resolve} from 'node:path';

/** What nsys names the raw events that it collects. */
const rawName = /^nsys-report-[\w-]+\.qdstrm$/;

/**
 * Paths of the raw events among the temporary files: before a run begins, those of other runs. (Times would not tell
 * them apart: those of files come from another clock than the system's time, and can lie before it.)
 *
 * @param temporary what the run's environment names as its folder for temporary files
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
 * Brings the raw events of a run that was ended to its other files: nsys collects them among the temporary files, and
 * says where ("Generating '/tmp/nsys-report-1a2b.qdstrm'"). The program's own words are in that output, too, so that
 * nothing is taken but a file of such a name, in such a folder, that was not there before the run.
 *
 * Returns the sentence that says where they are if they could not be brought; none otherwise.
 *
 * @param base path of the report without its ending
 * @param before what `rawEventsIn` returned before the run
 * @param temporary what the run's environment names as its folder for temporary files
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
    // What there is of a copy is no report.
    await rm(`${base}.qdstrm`, {force: true}).catch(() => undefined);
    const reason = error instanceof Error ? error.message : String(error);
    return [`What nsys collected is at ${path}: it could not be copied to the run's other files (${reason}).`];
  }
  await rm(path, {force: true}).catch(() => undefined);
  return [];
}

function temporaryFolders(temporary: string | undefined): string[] {
  // An empty variable names no folder, and not the one that the run works in.
  const own = temporary === undefined || temporary === '' ? tmpdir() : temporary;
  return [own, '/tmp', '/var/tmp'].map(folder => resolve(folder));
}
