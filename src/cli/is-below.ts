import {realpathSync} from 'node:fs';
import {isAbsolute, relative, resolve, sep} from 'node:path';

/** Returns whether a real path is a folder or lies below it. */
export function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** Returns a file's real path; null if it lies outside the folder, also behind a symbolic link, or does not exist. */
export function realPathBelow(folder: string, file: string): string | null {
  try {
    const path = realpathSync(resolve(folder, file));
    return isBelow(realpathSync(folder), path) ? path : null;
  } catch {
    return null;
  }
}
