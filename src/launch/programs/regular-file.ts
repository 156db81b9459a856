import {closeSync, constants, fstatSync, openSync, readFileSync} from 'node:fs';
import {open, stat, type FileHandle} from 'node:fs/promises';

/** Opening a pipe would block until a program writes to it. Windows has neither the flag nor such files. */
const flags = process.platform === 'win32' ? constants.O_RDONLY : constants.O_RDONLY | constants.O_NONBLOCK;

/** Returns whether a path leads to a regular file; false if it cannot be looked at. */
export function isRegularFile(path: string): Promise<boolean> {
  return stat(path).then(
    found => found.isFile(),
    () => false,
  );
}

/**
 * Returns the result of `use` for a regular file of `bytes` bytes; null if there is none at the path, or it cannot be
 * read.
 */
export async function readRegularFile<T>(
  path: string,
  use: (file: FileHandle, bytes: number) => Promise<T>,
): Promise<T | null> {
  const file = await open(path, flags).catch(() => null);
  if (!file) return null;
  try {
    const stats = await file.stat();
    return stats.isFile() ? await use(file, stats.size) : null;
  } catch {
    return null;
  } finally {
    await file.close();
  }
}

/** Returns the text of a regular file of at most `mostBytes` bytes; null if there is none, or it cannot be read. */
export function readRegularFileSync(path: string, mostBytes: number): string | null {
  let file: number;
  try {
    file = openSync(path, flags);
  } catch {
    return null;
  }
  try {
    const stats = fstatSync(file);
    return stats.isFile() && stats.size <= mostBytes ? readFileSync(file, 'utf8') : null;
  } catch {
    return null;
  } finally {
    closeSync(file);
  }
}
