import {mkdir, rm, writeFile} from 'node:fs/promises';
import {basename, extname, join, posix} from 'node:path';
import {TraceError} from '../../core/base/errors.js';
import {controlFileIn} from './run-control.js';

/** Where one run keeps its profiles and events. */
export interface RunFolder {
  readonly path: string;
  readonly eventsFile: string;
  /** What is asked of the run while it runs. */
  readonly controlFile: string;
}

/**
 * Room that a run's messages have where its disk is full: this much lies in a file beside them, which whoever finds no
 * room for a message takes away (`gpulens_runner/events.py`). A message has some 300 bytes.
 */
const reservedBytes = 64 << 10;
const reserveEnd = '.reserve';

/** The folder of runs where no setting names another one; from the workspace folder. */
export const usualOutputFolder = '.gpu-lens';

/**
 * Makes a folder for a run under `<output>/<group>`. The output folder keeps itself out of git, all but a
 * team's rules for findings, except where it is a folder
 * that was there before and has another name: it may hold what belongs into git.
 *
 * @param name what is run; its letters that are fit for a file's name become a part of the folder's
 * @throws TraceError `file/unwritable` where the folder cannot be made, or its disk is full
 */
export async function createRunFolder(
  output: string,
  name: string,
  at: Date,
  group: 'runs' | 'benchmarks' | 'cross-checks' = 'runs',
): Promise<RunFolder> {
  const stamp = at.toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
  const label = basename(name, extname(name))
    .replace(/[^\p{L}\p{N}_.-]+/gu, '_')
    .slice(0, 60);
  try {
    const isOurs = (await mkdir(output, {recursive: true})) !== undefined || basename(output) === usualOutputFolder;
    const path = await makeNew(join(output, group), `${stamp}-${label}`);
    if (isOurs) await keepOutOfGit(output);
    const eventsFile = eventsFileIn(path);
    if (group === 'runs') await reserve(path, eventsFile);
    return {path, eventsFile, controlFile: controlFileIn(path)};
  } catch (error) {
    throw new TraceError('file/unwritable', `No run can be kept in ${output}: ${reasonOf(error)}.`, {cause: error});
  }
}

/** Where the messages of a run are, from its folder. */
export function eventsFileIn(folder: string): string {
  // Windows takes such a path, too, and the folder may be one of another machine.
  return posix.join(folder, 'events.jsonl');
}

async function keepOutOfGit(output: string): Promise<void> {
  await writeFile(join(output, '.gitignore'), '*\n!/rules/\n!/rules/*.sql\n', {flag: 'wx'}).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error;
  });
}

/** Makes sure that a run can tell what becomes of it; a folder in which it could not is taken away. */
async function reserve(path: string, eventsFile: string): Promise<void> {
  try {
    await writeFile(eventsFile + reserveEnd, Buffer.alloc(reservedBytes), {mode: 0o600});
  } catch (error) {
    await rm(path, {recursive: true, force: true});
    throw error;
  }
}

/** Gives back the room that was kept for a run's messages, once it has ended. */
export async function freeReserve({eventsFile}: RunFolder): Promise<void> {
  await rm(eventsFile + reserveEnd, {force: true}).catch(() => undefined);
}

function reasonOf(error: unknown): string {
  switch (codeOf(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return 'its disk is full, so make room or name another folder';
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return 'it may not be written to, so name another folder';
    case 'ENOTDIR':
    case 'EEXIST':
      return 'there is a file where a folder should be';
    default:
      return error instanceof Error ? error.message : String(error);
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

/** Makes a folder that nobody else has: two runs may begin in one second. */
async function makeNew(parent: string, name: string): Promise<string> {
  await mkdir(parent, {recursive: true});
  for (let run = 1; ; run++) {
    const path = join(parent, run === 1 ? name : `${name}-${String(run)}`);
    try {
      // What a script was given and what it prints are nobody else's.
      await mkdir(path, {mode: 0o700});
      return path;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
  }
}
