/** A change in percent with its noise, both with as many digits as make sense: `+12 % (±3)`, `−1.5 %`. */
export function formatChange(percent: number, noisePercent: number | null): string {
  const digits = Math.max(Math.abs(percent), noisePercent ?? 0) >= 9.95 ? 0 : 1;
  const noise = noisePercent === null ? '' : ` (±${noisePercent.toFixed(digits)})`;
  return `${percent > 0 ? '+' : ''}${percent.toFixed(digits).replace('-', '−')} %${noise}`;
}
