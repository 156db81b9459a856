import {stat} from 'node:fs/promises';
import {UsageError} from './command.js';

/**
 * Refuses to write over a file that a command reads, however each is spelled: by the same path, a link or another name.
 *
 * @throws UsageError
 */
export async function refuseInputAsOutput(output: string, inputs: Iterable<string>): Promise<void> {
  const written = await identityOf(output);
  if (written === null) return;
  for (const input of inputs) {
    if ((await identityOf(input)) !== written) continue;
    throw new UsageError(`-o names ${input}, which is read: name another file to write.`);
  }
}

/** Tells files apart by their device and inode; null for what is no file, such as a folder, a pipe or nothing. */
async function identityOf(path: string): Promise<string | null> {
  const found = await stat(path, {bigint: true}).catch(() => null);
  return found?.isFile() === true ? `${String(found.dev)}:${String(found.ino)}` : null;
}
