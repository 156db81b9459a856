import {isAlike} from './line-likeness.js';
import {partsOf, sharedEnd} from './path-index.js';

/**
 * Returns the recorded path that refers to a file: one that the file's path ends with, else the one that shares the
 * longest end with it. `utils.py` is not `data/utils.py` if both were recorded. Null if there is none, or if it is
 * ambiguous.
 *
 * @param path with "/" or "\"
 */
export function likelyFile(path: string, recorded: readonly string[]): string | null {
  const parts = partsOf(path);
  const ends = recorded.filter(file => isSameFile(path, file));
  let longest = 0;
  let best: string | null = null;
  for (const file of ends.length > 0 ? ends : recorded) {
    const length = sharedEnd(parts, partsOf(file));
    if (length > longest) [longest, best] = [length, file];
    else if (length === longest && file !== best) best = null;
  }
  return best;
}

/** Returns whether a path, absolute or relative to a workspace, can refer to this file. */
export function isSameFile(path: string, recorded: string): boolean {
  const here = path.replaceAll('\\', '/');
  const there = recorded.replaceAll('\\', '/');
  return here === there || here.endsWith(`/${there}`);
}

/**
 * Returns whether a path of another machine refers to the only local file that it can be. A name alone is not enough,
 * because every project has a train.py. The lines decide if they are known, else a folder of the same name.
 *
 * @param likeness the similarity of the lines (see `likeness`); null if unknown
 */
export function isMeant(path: string, recorded: string, likeness: number | null): 'yes' | 'unsure' | 'no' {
  const isOfLikeFolder = sharedEnd(partsOf(path), partsOf(recorded)) > 1;
  if (likeness === null || Number.isNaN(likeness)) return isOfLikeFolder ? 'yes' : 'unsure';
  if (isAlike(likeness)) return 'yes';
  return isOfLikeFolder ? 'unsure' : 'no';
}
