import {isAbsolute, relative, sep} from 'node:path';

/** Returns whether a real path is a folder or lies below it. */
export function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}
