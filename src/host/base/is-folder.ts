import {stat} from 'node:fs/promises';

/** Returns whether a path is a folder; false if there is nothing. */
export async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() === true;
}
