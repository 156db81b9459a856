import {mkdir, readdir, rename, rm, stat, utimes} from 'node:fs/promises';
import {join} from 'node:path';
import {isAbandonedPartial, partialPath} from './partial-files.js';

/** Applies to files of any process: the folder holds nothing else. */
const abandonedAfterMs = 6 * 3600e3;

export interface CacheLimits {
  readonly folder: string;
  /** The most bytes for all files; the least recently used are deleted first. */
  readonly limitBytes: number;
}

/** A folder of files that can be regenerated. They are written atomically and never exceed a limit. */
export class CacheFolder {
  constructor(private readonly limits: CacheLimits) {}

  get limitBytes(): number {
    return this.limits.limitBytes;
  }

  path(name: string): string {
    return join(this.limits.folder, name);
  }

  /** Marks a file as used now. */
  async touch(name: string): Promise<void> {
    const now = new Date();
    await utimes(this.path(name), now, now).catch(() => undefined);
  }

  /**
   * Writes a file under a temporary name, then renames it to `name`, so that a reader finds a complete file or none,
   * even if others write the same one. The least recently used files make room.
   *
   * @throws what `write` throws, and errors of the file system
   */
  async add(name: string, write: (path: string) => Promise<void>): Promise<void> {
    await mkdir(this.limits.folder, {recursive: true});
    const partial = partialPath(this.path(name));
    try {
      await write(partial);
      await rename(partial, this.path(name));
    } finally {
      await rm(partial, {force: true});
    }
    await this.prune(name);
  }

  /** A file that another program has open stays for now. */
  async remove(name: string): Promise<void> {
    await rm(this.path(name), {force: true}).catch(() => undefined);
  }

  /** Deletes files until the folder is below its limit, except `kept`, and removes unfinished ones. */
  async prune(kept: string | null = null): Promise<void> {
    const names = await readdir(this.limits.folder).catch(() => []);
    const files = await Promise.all(names.map(async name => ({name, ...(await this.#sizeAndTime(name))})));
    files.sort((a, b) => b.mtimeMs - a.mtimeMs);
    let bytes = 0;
    for (const {name, size, mtimeMs} of files) {
      bytes += size;
      const isOld = name.endsWith('.partial') && mtimeMs < Date.now() - abandonedAfterMs;
      const isAbandoned = isOld || isAbandonedPartial(name, mtimeMs);
      const isOver = bytes > this.limits.limitBytes && name !== kept && !name.endsWith('.partial');
      if (!isAbandoned && !isOver) continue;
      await this.remove(name);
      bytes -= size;
    }
  }

  async #sizeAndTime(name: string): Promise<{size: number; mtimeMs: number}> {
    return stat(this.path(name)).catch(() => ({size: 0, mtimeMs: 0}));
  }
}
