/**
 * Returns round numbers of bytes up to a limit, at most five and without 0: 1, 2 or 5 times a power of ten of a binary
 * unit.
 */
export function byteTicks(most: number): number[] {
  const unit = 1024 ** Math.max(0, Math.floor(Math.log2(Math.max(1, most)) / 10));
  const power = 10 ** Math.floor(Math.log10(Math.max(1, most / unit)));
  const step = [0.2, 0.5, 1, 2, 5].map(factor => factor * power * unit).find(size => most / size <= 5) ?? most;
  const ticks: number[] = [];
  for (let bytes = step; bytes <= most; bytes += step) ticks.push(bytes);
  return ticks;
}
