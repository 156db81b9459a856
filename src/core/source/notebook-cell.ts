import {isAlike, likeness} from './line-likeness.js';
import type {RecordedFile} from './sidecar.js';

/** Returns whether ipykernel or IPython uses a path for the text of a notebook's cell. */
export function isCell(file: string): boolean {
  return /(?:^|[\\/])ipykernel_\d+[\\/]|^<ipython-input-/.test(file);
}

/**
 * Returns the recorded cell that corresponds to a cell of a notebook: the most similar one by the checksums of lines,
 * with at least half of them in common. Null if there is none, or if several are equally similar: kernels name cells
 * only by their text.
 *
 * @param lines checksums of the cell's current lines; those of empty lines, 0, are ignored
 */
export function recordedCell(lines: readonly number[], files: readonly RecordedFile[]): string | null {
  let most = 0;
  let best: string | null = null;
  for (const {file, lineCrc32} of files) {
    if (!lineCrc32 || !isCell(file)) continue;
    const alike = likeness(lines, lineCrc32);
    if (!isAlike(alike)) continue;
    if (alike > most) [most, best] = [alike, file];
    else if (alike === most) best = null;
  }
  return best;
}
