const prefixes = ['', 'k', 'M', 'G', 'T', 'P', 'E'];

/**
 * Formats an amount with three digits, a decimal prefix and its unit: `12.7 TFLOP/s`, `951 GB`, `0.25 FLOP/B`; `–` for
 * none.
 */
export function formatQuantity(value: number, unit: string): string {
  if (!Number.isFinite(value)) return '–';
  let power = 0;
  while (power < prefixes.length - 1 && Math.abs(value) >= 999.5 * 1000 ** power) power++;
  const scaled = value / 1000 ** power;
  const size = Math.abs(scaled);
  const digits = (power === 0 && Number.isInteger(scaled)) || size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2;
  return `${scaled.toFixed(digits)} ${prefixes[power] ?? ''}${unit}`;
}
