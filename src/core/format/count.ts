/** A number with its noun: `1 kernel`, `1,465 kernels`, `2 copies`. */
export function plural(count: number, noun: string): string {
  const plurals = noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return `${count.toLocaleString('en')} ${count === 1 ? noun : plurals}`;
}
