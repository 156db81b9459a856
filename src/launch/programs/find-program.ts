import {constants} from 'node:fs';
import {access, stat} from 'node:fs/promises';
import {delimiter, join} from 'node:path';
import {readRegularFile} from './regular-file.js';

/** Returns whether a path is a program. It must be a file, because folders can be "executable" too. */
export async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

/** Returns whether a program is a script that names its interpreter: `#!/bin/sh`. */
export async function isScript(path: string): Promise<boolean> {
  const head = await readRegularFile(path, async file => (await file.read(Buffer.alloc(2), 0, 2, 0)).buffer);
  return head?.toString('latin1') === '#!';
}

/** Returns the first program of a name in the folders of a PATH, null for none. */
export async function findOnPath(name: string, searchPath = process.env['PATH'] ?? ''): Promise<string | null> {
  for (const folder of searchPath.split(delimiter)) {
    if (folder !== '' && (await isProgram(join(folder, name)))) return join(folder, name);
  }
  return null;
}
