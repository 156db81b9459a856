const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/**
 * Formats bytes in powers of 1,024, as in PyTorch's own messages: `812 MiB`, `3.20 GiB`; negative bytes have a sign.
 */
export function formatBytes(bytes: number): string {
  let value = Math.abs(bytes);
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  const digits = unit === 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return `${bytes < 0 ? '-' : ''}${value.toFixed(digits)} ${units[unit]}`;
}

/** Formats `3.20 GiB allocated, 4.00 GiB reserved`; without the second if it is unknown. */
export function memorySizesText(sizes: {readonly allocatedBytes: number; readonly reservedBytes: number}): string {
  const allocated = `${formatBytes(sizes.allocatedBytes)} allocated`;
  return Number.isFinite(sizes.reservedBytes)
    ? `${allocated}, ${formatBytes(sizes.reservedBytes)} reserved`
    : allocated;
}
