/** 1 for the rows that are in, 0 for the others. A loop: `Uint8Array.from` takes three times as long. */
export function rowMask(length: number, isIn: (row: number) => boolean): Uint8Array {
  const mask = new Uint8Array(length);
  for (let row = 0; row < length; row++) if (isIn(row)) mask[row] = 1;
  return mask;
}
