/** A share as a badge of at most two characters: whole per cent, 99 for that and more. '' for less than a half. */
export function shareBadge(fraction: number): string {
  const percent = Math.min(99, Math.round(100 * fraction));
  return percent > 0 ? String(percent) : '';
}
