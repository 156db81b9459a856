import {access, readdir, realpath, rm} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import {TraceError} from '../../core/base/errors.js';
import {importCommand} from '../../core/trace/nsys-report.js';
import {isProgram} from '../programs/find-program.js';
import {nsysFailure} from './nsys-failure.js';
import {runTool} from './run-tool.js';

const importer = process.platform === 'win32' ? 'QdstrmImporter.exe' : 'QdstrmImporter';

/** How long a program may hang, and the signal that ends it. */
export interface FinishOptions {
  readonly signal: AbortSignal;
  readonly limitMs: number;
}

/**
 * Makes a readable report from the files that `nsys profile` left, and exports it. Returns the export's path.
 *
 * Debian's nsys does not find its own importer and leaves only raw events (`.qdstrm`), as does an nsys that was ended.
 * The importer is then run here, even if there is a report, which may be incomplete.
 *
 * @param base path of the report without its extension
 * @throws TraceError `launch/nsys-failed` with one sentence, `import/cancelled`
 */
export async function finishReport(nsys: string, base: string, options: FinishOptions): Promise<string> {
  const [report, raw] = [`${base}.nsys-rep`, `${base}.qdstrm`];
  if (!(await exists(report))) await importRaw(nsys, raw, report, options);
  try {
    return await exportSqlite(nsys, base, options);
  } catch (error) {
    if (options.signal.aborted || !(await exists(raw))) throw error;
    await rm(report, {force: true});
    await importRaw(nsys, raw, report, options);
    return exportSqlite(nsys, base, options);
  }
}

async function exportSqlite(nsys: string, base: string, options: FinishOptions): Promise<string> {
  const [report, sqlite] = [`${base}.nsys-rep`, `${base}.sqlite`];
  const args = ['export', '--type', 'sqlite', '--force-overwrite', 'true', '--output', sqlite, report];
  const {status, output} = await runTool(nsys, args, {...options, output: sqlite});
  if (status !== 0 || !(await exists(sqlite))) throw nsysFailure(`${report} could not be exported`, output);
  return sqlite;
}

/** Returns whether `nsys profile` left any file: it leaves none if its capture range was never opened. */
export async function hasReport(base: string): Promise<boolean> {
  return (await leftReport(base)) !== null;
}

/** Returns the raw events if they exist, from which the report is made again, else the report; null for neither. */
export async function leftReport(base: string): Promise<string | null> {
  for (const path of [`${base}.qdstrm`, `${base}.nsys-rep`]) if (await exists(path)) return path;
  return null;
}

async function importRaw(nsys: string, raw: string, report: string, options: FinishOptions): Promise<void> {
  if (!(await exists(raw))) throw new TraceError('launch/nsys-failed', 'nsys ended without a report.');
  const program = await findImporter(nsys);
  if (program === null) {
    throw new TraceError(
      'launch/nsys-failed',
      `This nsys is half installed: it left ${raw}, and its importer (${importer}) was not found; where Nsight Systems is installed whole, run ${importCommand(basename(raw))}, and open the .nsys-rep that it writes.`,
    );
  }
  const {status, output} = await runTool(program, ['-i', raw, '-o', report], {...options, output: report});
  if (status !== 0 || !(await exists(report))) throw nsysFailure(`${raw} could not be imported`, output);
  await rm(raw, {force: true});
}

/** Returns the importer of an installation: in a folder `host-…` beside the program's, or where Debian puts it. */
async function findImporter(nsys: string): Promise<string | null> {
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

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
