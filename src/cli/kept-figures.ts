import {createHash} from 'node:crypto';
import type {BigIntStats} from 'node:fs';
import {readFile, writeFile} from 'node:fs/promises';
import {resolve} from 'node:path';
import type {ProfileFigures} from '../core/summary/profile-figures.js';
import {index, listOf, measure, nullable, record, text, type Decode} from '../importers/cache/decode.js';
import {programDigest} from '../importers/cache/program-digest.js';
import {CacheFolder} from '../importers/files/cache-folder.js';
import {fileStamp} from '../importers/files/file-identity.js';
import {userCacheFolder} from './user-cache.js';

const mostCacheBytes = 50e6;

/** The figures of a profile, and the `fileStamp` of the file that they were read from. */
interface KeptProfile {
  readonly stamp: string;
  readonly figures: ProfileFigures;
}

const keptFigures: Decode<ProfileFigures> = record({
  format: text,
  profiler: text,
  gpuNames: listOf(text),
  gpus: index,
  rank: nullable(measure),
  spanNs: measure,
  steps: index,
  stepNs: nullable(measure),
  gpu: record({busyNs: measure, spanNs: measure, workNs: measure, idleNs: measure}),
  losses: listOf(record({code: text, text})),
});
const keptProfiles = listOf(record({path: text, stamp: text, figures: keptFigures}));

/**
 * The figures of profiles that were listed before, one file for each list. A profile is read again if its size or time
 * has changed, or the program has. A damaged, missing or unwritable file only costs time.
 */
export class KeptFigures {
  readonly #folder = new CacheFolder({folder: userCacheFolder('figures'), limitBytes: mostCacheBytes});
  readonly #before = new Map<string, KeptProfile>();
  readonly #now = new Map<string, KeptProfile>();
  #hasNew = false;

  private constructor(private readonly name: string) {}

  /** Opens what is kept of a list. @param paths the files and folders that are listed */
  static async of(paths: readonly string[]): Promise<KeptFigures> {
    const key = [programDigest(__filename), ...paths.map(path => resolve(path))].join('\n');
    const kept = new KeptFigures(`${createHash('sha256').update(key).digest('hex')}.json`);
    try {
      const file = kept.#folder.path(kept.name);
      for (const {path, ...profile} of keptProfiles(JSON.parse(await readFile(file, 'utf8'))))
        kept.#before.set(path, profile);
    } catch {
      // Nothing is kept, or nobody can read it.
    }
    return kept;
  }

  /**
   * Returns the figures of a file: those that are kept if it has not changed, else those that are read now.
   *
   * @param known the file's own facts; null if they could not be read
   */
  async figures(path: string, known: BigIntStats | null, read: () => Promise<ProfileFigures>): Promise<ProfileFigures> {
    const file = resolve(path);
    const stamp = await fileStamp(file, known);
    const before = this.#before.get(file);
    if (before?.stamp === stamp) {
      this.#now.set(file, before);
      return before.figures;
    }
    const figures = await read();
    // With other limits, more may be read.
    if (figures.losses.length === 0 && (await fileStamp(file)) === stamp) {
      this.#now.set(file, {stamp, figures});
      this.#hasNew = true;
    }
    return figures;
  }

  /** Keeps what was found, and nothing of profiles that are gone. */
  async save(): Promise<void> {
    if (!this.#hasNew && this.#now.size === this.#before.size) return;
    const profiles = [...this.#now].map(([path, profile]) => ({path, ...profile}));
    try {
      await this.#folder.add(this.name, partial => writeFile(partial, JSON.stringify(profiles)));
    } catch {
      // A full disk or a folder that nobody may write to.
    }
  }
}
