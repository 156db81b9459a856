/** Returns the whole numbers that PyTorch lists as "[0, 1, 2]"; null if the list is truncated or absent. */
export function wholeNumbers(text: string | null): number[] | null {
  if (text === null || !/^\[\s*\d+(\s*,\s*\d+)*\s*\]$/.test(text)) return null;
  return text.slice(1, -1).split(',').map(Number);
}
