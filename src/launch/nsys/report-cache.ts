import {createHash} from 'node:crypto';
import {readdir, rm, stat, utimes} from 'node:fs/promises';
import {join, resolve} from 'node:path';

/** The most disk space for exports; the least recently used are deleted first. */
const mostCachedBytes = 20e9;

/** Returns a file's cache key, which changes with its path, size and modification time. */
export async function keyOf(path: string): Promise<string> {
  const {size, mtimeMs} = await stat(path);
  return createHash('sha256')
    .update(`${resolve(path)}\n${String(size)}\n${String(mtimeMs)}`)
    .digest('hex')
    .slice(0, 32);
}

/** Marks a cached file as used now. Returns false if there is none. */
export async function touch(path: string): Promise<boolean> {
  const now = new Date();
  return utimes(path, now, now).then(
    () => true,
    () => false,
  );
}

/** Deletes exports until the folder is below its limit, except `kept`, and removes what abandoned exports left. */
export async function prune(folder: string, kept: string): Promise<void> {
  const all = await readdir(folder);
  for (const name of all) if (isAbandoned(name)) await rm(join(folder, name), {force: true});
  const names = all.filter(name => name.endsWith('.sqlite'));
  const files = await Promise.all(
    names.map(async name => ({path: join(folder, name), ...(await sizeAndTime(folder, name))})),
  );
  files.sort((a, b) => b.mtimeMs - a.mtimeMs);
  let bytes = 0;
  for (const {path, size} of files) {
    bytes += size;
    if (bytes > mostCachedBytes && path !== kept) await rm(path, {force: true});
  }
}

/** Returns whether a file is an unfinished export of a process that has ended. */
function isAbandoned(name: string): boolean {
  const pid = Number(/\.(\d+)\.partial$/.exec(name)?.[1] ?? NaN);
  if (Number.isNaN(pid)) return false;
  try {
    return !process.kill(pid, 0);
  } catch {
    return true;
  }
}

async function sizeAndTime(folder: string, name: string): Promise<{size: number; mtimeMs: number}> {
  return stat(join(folder, name)).catch(() => ({size: 0, mtimeMs: 0}));
}
