import {isAlike} from './line-likeness.js';
import {partsOf, sharedEnd} from './path-index.js';

/**
 * Which of the recorded paths that can mean a file does so: one that is the file's end, else the one that shares the
 * longest end with it: `utils.py` is not `data/utils.py` where both were recorded. Null where none does, and where
 * nothing tells which.
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

/** Whether a path, absolute or relative to a workspace, can mean this file. */
export function isSameFile(path: string, recorded: string): boolean {
  const here = path.replaceAll('\\', '/');
  const there = recorded.replaceAll('\\', '/');
  return here === there || here.endsWith(`/${there}`);
}

/**
 * Whether a path of another machine means the only file here that may be it. A name alone tells nothing: every project
 * has a train.py. Lines tell, where they are known, else a folder of the same name.
 *
 * @param likeness how much of the lines is the same (see `likeness`); null where that is not known
 */
export function isMeant(path: string, recorded: string, likeness: number | null): 'yes' | 'unsure' | 'no' {
  const isOfLikeFolder = sharedEnd(partsOf(path), partsOf(recorded)) > 1;
  if (likeness === null || Number.isNaN(likeness)) return isOfLikeFolder ? 'yes' : 'unsure';
  if (isAlike(likeness)) return 'yes';
  return isOfLikeFolder ? 'unsure' : 'no';
}
