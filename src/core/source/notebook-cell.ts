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
  const own = lines.filter(crc => crc !== 0);
  let most = 0;
  let best: string | null = null;
  for (const {file, lineCrc32} of files) {
    if (!lineCrc32 || !isCell(file)) continue;
    const recorded = lineCrc32.filter(crc => crc !== 0);
    const likeness = sharedLines(own, recorded) / Math.max(own.length, recorded.length);
    // NaN, of two empty cells, is none.
    if (!(likeness >= 0.5)) continue;
    if (likeness > most) [most, best] = [likeness, file];
    else if (likeness === most) best = null;
  }
  return best;
}

/** How many lines of one are in the other, each as often as it is in both. */
function sharedLines(a: readonly number[], b: readonly number[]): number {
  const left = new Map<number, number>();
  for (const crc of a) left.set(crc, (left.get(crc) ?? 0) + 1);
  let shared = 0;
  for (const crc of b) {
    const times = left.get(crc) ?? 0;
    if (times > 0) shared++;
    left.set(crc, times - 1);
  }
  return shared;
}
