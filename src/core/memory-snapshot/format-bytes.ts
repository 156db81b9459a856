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
