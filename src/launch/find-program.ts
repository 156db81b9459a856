import {constants} from 'node:fs';
import {access, stat} from 'node:fs/promises';
import {delimiter, join} from 'node:path';

/** Whether a path is a program: a folder can be "executed" too, so it must be a file. */
export async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

/** The first program of a name in the folders of a PATH, null for none. */
export async function findOnPath(name: string, searchPath = process.env['PATH'] ?? ''): Promise<string | null> {
  for (const folder of searchPath.split(delimiter)) {
    if (folder !== '' && (await isProgram(join(folder, name)))) return join(folder, name);
  }
  return null;
}
