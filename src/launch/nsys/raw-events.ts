import {copyFile, lstat, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {basename, dirname, resolve} from 'node:path';

/**
 * Brings the raw events of a run that was ended to its other files: nsys collects them among the temporary files, and
 * says where ("Generating '/tmp/nsys-report-1a2b.qdstrm'"). The program's own words are in that output, too, so that
 * nothing is taken but a file of such a name, in such a folder, that is newer than the run.
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
): Promise<void> {
  const path = [...output.matchAll(/^Generating '([^'\n]+)'/gm)].at(-1)?.[1];
  if (path === undefined || !/^nsys-report-[\w-]+\.qdstrm$/.test(basename(path))) return;
  const folders = [temporary ?? tmpdir(), '/tmp', '/var/tmp'].map(folder => resolve(folder));
  if (!folders.includes(resolve(dirname(path)))) return;
  const found = await lstat(path).catch(() => null);
  if (!found?.isFile() || found.mtimeMs < beginMs) return;
  await copyFile(path, `${base}.qdstrm`);
  await rm(path, {force: true});
}
