/**
 * Returns the similarity of two texts, 0 to 1: the number of common lines ÷ the number of lines of the longer text. NaN
 * if both are empty. Texts are given as the checksums of their lines; empty lines, 0, are ignored.
 */
export function likeness(a: readonly number[], b: readonly number[]): number {
  const [own, other] = [a, b].map(lines => lines.filter(crc => crc !== 0)) as [number[], number[]];
  return sharedLines(own, other) / Math.max(own.length, other.length);
}

/** Returns whether two texts may be versions of one text: at least half of the lines are common. */
export function isAlike(likeness: number): boolean {
  // NaN, for two empty texts, gives false.
  return likeness >= 0.5;
}

/** Returns the number of common lines, each counted as often as it is in both. */
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
