import {access, readdir, realpath, rm} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {TraceError} from '../../core/errors.js';
import {isProgram} from '../find-program.js';
import {runProgram} from '../run-program.js';

const importer = process.platform === 'win32' ? 'QdstrmImporter.exe' : 'QdstrmImporter';

/**
 * Makes a report that can be read of what `nsys profile` left, and exports it; returns the export's path.
 *
 * Debian's nsys does not find its own importer and leaves raw events (`.qdstrm`) alone: the importer is run here.
 *
 * @param base path of the report without its ending
 * @throws TraceError `launch/nsys-failed` with one sentence, `import/cancelled`
 */
export async function finishReport(nsys: string, base: string, signal: AbortSignal): Promise<string> {
  const report = `${base}.nsys-rep`;
  if (!(await exists(report))) await importRaw(nsys, `${base}.qdstrm`, report, signal);
  const sqlite = `${base}.sqlite`;
  const args = ['export', '--type', 'sqlite', '--force-overwrite', 'true', '--output', sqlite, report];
  const {status, output} = await runProgram(nsys, args, {signal});
  if (status !== 0 || !(await exists(sqlite))) throw failed(`${report} could not be exported`, output);
  return sqlite;
}

/** Whether `nsys profile` left anything: it leaves nothing where its capture range was never opened. */
export async function hasReport(base: string): Promise<boolean> {
  return (await exists(`${base}.nsys-rep`)) || (await exists(`${base}.qdstrm`));
}

async function importRaw(nsys: string, raw: string, report: string, signal: AbortSignal): Promise<void> {
  if (!(await exists(raw))) throw new TraceError('launch/nsys-failed', 'nsys ended without a report.');
  const program = await findImporter(nsys);
  if (program === null) {
    throw new TraceError(
      'launch/nsys-failed',
      `This nsys is half installed: it left ${raw}, and its importer (${importer}) was not found; open the file with a whole installation.`,
    );
  }
  const {status, output} = await runProgram(program, ['-i', raw, '-o', report], {signal});
  if (status !== 0 || !(await exists(report))) throw failed(`${raw} could not be imported`, output);
  await rm(raw, {force: true});
}

/** The importer of an installation: in a folder `host-…` beside that of the program, or where Debian puts it. */
export async function findImporter(nsys: string): Promise<string | null> {
  const home = dirname(dirname(await realpath(nsys).catch(() => nsys)));
  for (const folder of [home, '/usr/lib/nsight-systems', '/usr/lib/x86_64-linux-gnu/nsight-systems']) {
    const names = await readdir(folder).catch(() => []);
    for (const name of names.filter(one => one.startsWith('host-'))) {
      const path = join(folder, name, importer);
      if (await isProgram(path)) return path;
    }
  }
  return null;
}

function failed(what: string, output: string): TraceError {
  const reason = output
    .split(/[\r\n]+/)
    .filter(line => line.trim() !== '' && !/\d+%/.test(line))
    .at(-1);
  return new TraceError('launch/nsys-failed', `${what}: ${reason?.trim().slice(0, 300) ?? 'nsys said nothing'}`);
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
