/** A share as a badge of two characters: whole per cent; what 99 cannot say is a full mark. '' for less than a half. */
export function shareBadge(fraction: number): string {
  const percent = Math.round(100 * fraction);
  if (percent <= 0) return '';
  return percent >= 100 ? '●' : String(percent);
}
