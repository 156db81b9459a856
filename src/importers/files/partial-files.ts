import {randomBytes} from 'node:crypto';
import {lstat, readdir, rm} from 'node:fs/promises';
import {userInfo} from 'node:os';
import {join} from 'node:path';
import {isMarkOfEndedProcess, processMark} from './process-mark.js';

/** A file whose process cannot be checked (on another machine) counts as abandoned after a day. */
const abandonedAfterMs = 24 * 3600e3;

const partialName = /\.([0-9a-f]{8}-\d+)-[0-9a-f]{12}\.partial$/;

/** Returns the path under which a file is written until it is whole: `OUT.csv.8f3a01bc-4711-0123456789ab.partial`. */
export function partialPath(path: string): string {
  return `${path}.${processMark()}-${randomBytes(6).toString('hex')}.partial`;
}

/** Returns whether a file of `partialPath` will never be finished: its process has ended, or it is a day old. */
export function isAbandonedPartial(name: string, mtimeMs: number): boolean {
  const mark = partialName.exec(name)?.[1];
  return mark !== undefined && (isMarkOfEndedProcess(mark) || mtimeMs < Date.now() - abandonedAfterMs);
}

/** Removes this user's unfinished files of ended processes from a folder; other files stay. */
export async function removeAbandonedPartials(folder: string): Promise<void> {
  const {uid} = userInfo();
  for (const name of await readdir(folder).catch(() => [])) {
    if (!partialName.test(name)) continue;
    const path = join(folder, name);
    const stats = await lstat(path).catch(() => null);
    // Windows has no such id.
    const isOwn = stats?.isFile() === true && (uid < 0 || stats.uid === uid);
    if (isOwn && isAbandonedPartial(name, stats.mtimeMs)) await rm(path, {force: true}).catch(() => undefined);
  }
}
