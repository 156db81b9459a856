import {chmod, lstat, mkdir, readdir, readFile, rm, writeFile} from 'node:fs/promises';
import {homedir, hostname} from 'node:os';
import {basename, extname, join} from 'node:path';
import {TraceError} from '../../core/base/errors.js';
import {isCount, isFields, parseJsonLine, textOrNull} from '../../core/base/read-json.js';
import {isRunning} from '../programs/is-running.js';
import {eventsFileIn} from './run-folder.js';

/** A run started with `--idle`, which records when a trigger asks it to. */
export interface IdleRun {
  /** The process of `gpu-lens profile`. */
  readonly pid: number;
  readonly host: string;
  /** Display name: the script's name. */
  readonly name: string;
  /** The run's folder, which receives its profiles. */
  readonly folder: string;
  /** Its job in a batch system; null for none. */
  readonly job: string | null;
}

const version = 1;

/** Returns the folder with the notes of this user's idle runs; nobody else can open it. */
function idleRunsFolder(home = homedir()): string {
  return join(home, '.gpu-lens', 'idle');
}

/**
 * Notes a run, so that triggers find it. Returns a function that removes the note.
 *
 * @throws TraceError `file/unwritable`
 */
export async function noteIdleRun(run: Omit<IdleRun, 'host'>, folder = idleRunsFolder()): Promise<() => Promise<void>> {
  const file = join(folder, `${hostname()}-${String(run.pid)}.json`);
  try {
    await mkdir(folder, {recursive: true, mode: 0o700});
    if (!(await isPrivate(folder))) await chmod(folder, 0o700);
    await writeFile(file, `${JSON.stringify({v: version, host: hostname(), ...run})}\n`, {mode: 0o600});
  } catch (error) {
    throw new TraceError('file/unwritable', `Triggers could not find the run: ${folder} takes no file.`, {
      cause: error,
    });
  }
  return () => rm(file, {force: true});
}

/** Returns the idle runs of this user, the newest first. Notes of ended runs on this machine are removed. */
export async function idleRuns(folder = idleRunsFolder()): Promise<readonly IdleRun[]> {
  if (!(await isPrivate(folder))) return [];
  const found: {readonly run: IdleRun; readonly sinceMs: number}[] = [];
  for (const name of await readdir(folder)) {
    const file = join(folder, name);
    const run = parseIdleRun(await readFile(file, 'utf8').catch(() => ''));
    if (!run) continue;
    if (run.host === hostname() && !isRunning(run.pid)) await rm(file, {force: true});
    else found.push({run, sinceMs: (await lstat(file).catch(() => null))?.mtimeMs ?? 0});
  }
  return found.toSorted((a, b) => b.sinceMs - a.sinceMs).map(({run}) => run);
}

/**
 * Returns the runs that a word selects: the id of any of its processes, the script's name, the run's folder, or the
 * batch system's job.
 */
export async function runsNamed(runs: readonly IdleRun[], word: string): Promise<readonly IdleRun[]> {
  const direct = runs.filter(({pid, name, folder, job}) =>
    [String(pid), name, basename(name, extname(name)), folder, basename(folder), job].includes(word),
  );
  if (direct.length > 0 || !/^\d+$/.test(word)) return direct;
  const found: IdleRun[] = [];
  for (const run of runs) if ((await processesOf(run)).has(Number(word))) found.push(run);
  return found;
}

/** Returns the processes that have written a message in a run's folder. */
async function processesOf({folder}: IdleRun): Promise<ReadonlySet<number>> {
  const text = await readFile(eventsFileIn(folder), 'utf8').catch(() => '');
  const pids = text.split('\n').map(line => parseJsonLine(line)?.['pid']);
  return new Set(pids.filter(isCount));
}

function parseIdleRun(text: string): IdleRun | null {
  const fields = parseJsonLine(text);
  if (!isFields(fields) || fields['v'] !== version) return null;
  const {pid, host, name, folder, job} = fields;
  if (!isCount(pid) || typeof host !== 'string' || typeof name !== 'string' || typeof folder !== 'string') return null;
  return {pid, host, name, folder, job: textOrNull(job)};
}

/** Returns whether a folder exists, is this user's, and is closed to others: its contents say where files are written. */
async function isPrivate(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => null);
  if (found?.isDirectory() !== true) return false;
  const own = process.getuid?.();
  return own === undefined || (found.uid === own && (found.mode & 0o077) === 0);
}
