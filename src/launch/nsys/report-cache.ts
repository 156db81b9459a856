import {createHash, randomUUID} from 'node:crypto';
import {readdir, rm, stat, utimes} from 'node:fs/promises';
import {hostname} from 'node:os';
import {join, resolve} from 'node:path';
import {isRunning} from '../programs/is-running.js';

/** The most disk space for exports; the least recently used are deleted first. */
const mostCachedBytes = 20e9;

/** An unfinished export whose process cannot be checked (on another machine) counts as abandoned after a day. */
const abandonedAfterMs = 24 * 3600e3;

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

/** Returns a new path, under which an export is written until it is whole: other calls may write the same one. */
export function partialExport(cached: string): string {
  return `${cached}.${hostTag()}-${String(process.pid)}-${randomUUID()}.partial`;
}

/** Deletes exports until the folder is below its limit, except `kept`, and removes what abandoned exports left. */
export async function prune(folder: string, kept: string): Promise<void> {
  const all = await readdir(folder);
  for (const name of all) if (await isAbandoned(folder, name)) await rm(join(folder, name), {force: true});
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

/** Returns whether a file is an unfinished export that nobody will finish: its process has ended, or it is a day old. */
async function isAbandoned(folder: string, name: string): Promise<boolean> {
  if (!name.endsWith('.partial')) return false;
  const [, host, pid] = /\.([0-9a-f]{8})-(\d+)-[0-9a-f-]{36}\.partial$/.exec(name) ?? [];
  if (host === hostTag() && !isRunning(Number(pid))) return true;
  const {mtimeMs} = await stat(join(folder, name)).catch(() => ({mtimeMs: Infinity}));
  return mtimeMs < Date.now() - abandonedAfterMs;
}

/** Process ids are unique only within a machine, and others may share the folder. */
function hostTag(): string {
  return createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
}

async function sizeAndTime(folder: string, name: string): Promise<{size: number; mtimeMs: number}> {
  return stat(join(folder, name)).catch(() => ({size: 0, mtimeMs: 0}));
}
