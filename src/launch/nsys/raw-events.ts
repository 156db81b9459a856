import {copyFile, lstat, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {basename, dirname, resolve} from 'node:path';

/**
 * Brings the raw events of a run that was ended to its other files: nsys collects them among the temporary files, and
 * says where ("Generating '/tmp/nsys-report-1a2b.qdstrm'"). The program's own words are in that output, too, so that
 * nothing is taken but a file of such a name, in such a folder, that is newer than the run.
 *
 * Returns the sentence that says where they are if they could not be brought; none otherwise.
 *
 * @param base path of the report without its ending
 * @param beginMs when the run began, in ms since 1970
 * @param temporary what the run's environment names as its folder for temporary files
 */
export async function keepRawEvents(
  output: string,
  base: string,
  beginMs: number,
  temporary: string | undefined,
): Promise<string[]> {
  const path = [...output.matchAll(/^Generating '([^'\n]+)'/gm)].at(-1)?.[1];
  if (path === undefined || !/^nsys-report-[\w-]+\.qdstrm$/.test(basename(path))) return [];
  const folders = [temporary ?? tmpdir(), '/tmp', '/var/tmp'].map(folder => resolve(folder));
  if (!folders.includes(resolve(dirname(path)))) return [];
  const found = await lstat(path).catch(() => null);
  if (!found?.isFile() || found.mtimeMs < beginMs) return [];
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
