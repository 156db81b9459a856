/** Formats a change in percent with its noise, both with a suitable number of digits: `+12 % (±3)`, `−1.5 %`. */
export function formatChange(percent: number, noisePercent: number | null): string {
  const digits = Math.max(Math.abs(percent), noisePercent ?? 0) >= 9.95 ? 0 : 1;
  const noise = noisePercent === null ? '' : ` (±${noisePercent.toFixed(digits)})`;
  return `${percent > 0 ? '+' : ''}${percent.toFixed(digits).replace('-', '−')} %${noise}`;
}
