import {mkdir, writeFile} from 'node:fs/promises';
import {basename, extname, join} from 'node:path';

/** Where one run keeps its traces and events. */
export interface RunFolder {
  readonly path: string;
  readonly eventsFile: string;
}

/**
 * Makes a folder for a run of `script` under `<workspace>/.gpu-lens`, which keeps itself out of git.
 *
 * @throws the file system's error where the folder cannot be made
 */
export async function createRunFolder(workspace: string, script: string, at: Date): Promise<RunFolder> {
  const home = join(workspace, '.gpu-lens');
  const stamp = at.toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
  const name = basename(script, extname(script)).replace(/[^\w.-]+/g, '_');
  const path = await makeNew(join(home, 'runs'), `${stamp}-${name}`);
  await writeFile(join(home, '.gitignore'), '*\n', {flag: 'wx'}).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  });
  return {path, eventsFile: join(path, 'events.jsonl')};
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
