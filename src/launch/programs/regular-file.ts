import {constants} from 'node:fs';
import {open, type FileHandle} from 'node:fs/promises';

/** A pipe would be waited for until somebody writes into it. Windows has no such flag, nor such files. */
const flags = process.platform === 'win32' ? constants.O_RDONLY : constants.O_RDONLY | constants.O_NONBLOCK;

/** What `use` makes of a regular file of `bytes` bytes; null where there is none at the path, or it cannot be read. */
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
