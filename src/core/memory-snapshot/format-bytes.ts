const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** Bytes as a person reads them, in powers of 1,024 as PyTorch's own messages: `812 MiB`, `3.20 GiB`; −1 has its sign. */
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

/** `3.20 GiB allocated, 4.00 GiB reserved`; without the second where nothing tells it. */
export function memorySizesText(sizes: {readonly allocatedBytes: number; readonly reservedBytes: number}): string {
  const allocated = `${formatBytes(sizes.allocatedBytes)} allocated`;
  return Number.isFinite(sizes.reservedBytes)
    ? `${allocated}, ${formatBytes(sizes.reservedBytes)} reserved`
    : allocated;
}
