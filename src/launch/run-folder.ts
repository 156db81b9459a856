import {mkdir, writeFile} from 'node:fs/promises';
import {basename, extname, join} from 'node:path';
import {controlFileIn} from './run-control.js';

/** Where one run keeps its profiles and events. */
export interface RunFolder {
  readonly path: string;
  readonly eventsFile: string;
  /** What is asked of the run while it runs. */
  readonly controlFile: string;
}

/** The folder of runs where no setting names another one; from the workspace folder. */
export const usualOutputFolder = '.gpu-lens';

/**
 * Makes a folder for a run under `<output>/<group>`. The output folder keeps itself out of git, but where it is a folder
 * that was there before and has another name: it may hold what belongs into git.
 *
 * @param name what is run; its letters that are fit for a file's name become a part of the folder's
 * @throws the file system's error where the folder cannot be made
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
  const isOurs = (await mkdir(output, {recursive: true})) !== undefined || basename(output) === usualOutputFolder;
  const path = await makeNew(join(output, group), `${stamp}-${label}`);
  if (isOurs) {
    await writeFile(join(output, '.gitignore'), '*\n', {flag: 'wx'}).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    });
  }
  return {path, eventsFile: join(path, 'events.jsonl'), controlFile: controlFileIn(path)};
}

/** Makes a folder that nobody else has: two runs may begin in one second. */
async function makeNew(parent: string, name: string): Promise<string> {
  await mkdir(parent, {recursive: true});
  for (let run = 1; ; run++) {
    const path = join(parent, run === 1 ? name : `${name}-${String(run)}`);
    try {
      await mkdir(path);
      return path;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}
