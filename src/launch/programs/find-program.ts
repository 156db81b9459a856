import {constants} from 'node:fs';
import {access, stat} from 'node:fs/promises';
import {delimiter, join} from 'node:path';
import {readRegularFile} from './regular-file.js';

/** Whether a path is a program: a folder can be "executed" too, so it must be a file. */
export async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

/** Whether a program is a text that names its interpreter: `#!/bin/sh`. */
export async function isScript(path: string): Promise<boolean> {
  const head = await readRegularFile(path, async file => (await file.read(Buffer.alloc(2), 0, 2, 0)).buffer);
  return head?.toString('latin1') === '#!';
}

/** The first program of a name in the folders of a PATH, null for none. */
export async function findOnPath(name: string, searchPath = process.env['PATH'] ?? ''): Promise<string | null> {
  for (const folder of searchPath.split(delimiter)) {
    if (folder !== '' && (await isProgram(join(folder, name)))) return join(folder, name);
  }
  return null;
}
