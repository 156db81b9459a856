import {isAlike, likeness} from './line-likeness.js';
import type {RecordedFile} from './sidecar.js';

/** Whether a path is what ipykernel or IPython call the text of a notebook's cell. */
export function isCell(file: string): boolean {
  return /(?:^|[\\/])ipykernel_\d+[\\/]|^<ipython-input-/.test(file);
}

/**
 * The recorded cell that a cell of a notebook was: the one that is most alike by the checksums of lines, of which at least
 * half are in both. Null where none has, and where nothing tells which: kernels name cells by their text alone.
 *
 * @param lines checksums of the cell's lines as they are now; those of empty lines, 0, tell nothing
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
