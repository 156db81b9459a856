/**
 * How much of two texts is the same, 0 to 1: the lines that are in both ÷ those of the longer one. NaN where neither has
 * any. Texts are the checksums of their lines; those of empty lines, 0, tell nothing.
 */
export function likeness(a: readonly number[], b: readonly number[]): number {
  const [own, other] = [a, b].map(lines => lines.filter(crc => crc !== 0)) as [number[], number[]];
  return sharedLines(own, other) / Math.max(own.length, other.length);
}

/** Whether two texts may be one that was edited: half of the lines are in both. */
export function isAlike(likeness: number): boolean {
  // NaN, of two empty texts, tells nothing.
  return likeness >= 0.5;
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
