import {mkdir, rm, writeFile} from 'node:fs/promises';
import {basename, extname, join, posix} from 'node:path';
import {TraceError} from '../../core/base/errors.js';
import {controlFileIn} from './run-control.js';

/** The folder and files of one run. */
export interface RunFolder {
  readonly path: string;
  readonly eventsFile: string;
  /** Requests to the run while it runs. */
  readonly controlFile: string;
}

/**
 * Space reserved for a run's messages in case its disk fills up. A file of this size is kept beside them; a process
 * that has no room for a message deletes it (`gpulens_runner/events.py`). A message has some 300 bytes.
 */
const reservedBytes = 64 << 10;
const reserveEnd = '.reserve';

/** The default folder of runs, relative to the workspace folder. */
export const usualOutputFolder = '.gpu-lens';

/**
 * Makes a folder for a run under `<output>/<group>`, and the output folder if there is none.
 *
 * @param name what is run; its letters that are valid in a file name become part of the folder's name
 * @throws TraceError `file/unwritable` if the folder cannot be made, or its disk is full
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
    await makeOutputFolder(output);
    const path = await makeNew(join(output, group), `${stamp}-${label}`);
    const eventsFile = eventsFileIn(path);
    if (group === 'runs') await reserve(path, eventsFile);
    return {path, eventsFile, controlFile: controlFileIn(path)};
  } catch (error) {
    throw new TraceError('file/unwritable', `No run can be kept in ${output}: ${reasonOf(error)}.`, {cause: error});
  }
}

/** Returns the path of a run's messages from the run's folder. */
export function eventsFileIn(folder: string): string {
  // Windows accepts such a path too, and the folder may be on another machine.
  return posix.join(folder, 'events.jsonl');
}

/**
 * Makes an output folder if there is none. It is ignored by git, except for a team's rules for findings. A folder that
 * existed before under another name is not: it may hold files that belong in git.
 *
 * @throws the file system's error if it cannot be made
 */
export async function makeOutputFolder(output: string): Promise<void> {
  const isOurs = (await mkdir(output, {recursive: true})) !== undefined || basename(output) === usualOutputFolder;
  if (!isOurs) return;
  await writeFile(join(output, '.gitignore'), '*\n!/rules/\n!/rules/*.sql\n', {flag: 'wx'}).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error;
  });
}

/** Reserves space for a run's messages; if that fails, removes the folder. */
async function reserve(path: string, eventsFile: string): Promise<void> {
  try {
    await writeFile(eventsFile + reserveEnd, Buffer.alloc(reservedBytes), {mode: 0o600});
  } catch (error) {
    await rm(path, {recursive: true, force: true});
    throw error;
  }
}

/** Frees the space reserved for a run's messages, once it has ended. */
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

/** Makes a new folder: two runs may begin in one second. */
async function makeNew(parent: string, name: string): Promise<string> {
  await mkdir(parent, {recursive: true});
  for (let run = 1; ; run++) {
    const path = join(parent, run === 1 ? name : `${name}-${String(run)}`);
    try {
      // A script's arguments and output are private.
      await mkdir(path, {mode: 0o700});
      return path;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
  }
}
