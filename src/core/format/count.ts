/** A whole number with commas between thousands. `toLocaleString` would keep its thread for 10 to 30 ms the first time. */
export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** A number with its noun: `1 kernel`, `1,465 kernels`, `2 copies`. */
export function plural(count: number, noun: string): string {
  const plurals = noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return `${formatCount(count)} ${count === 1 ? noun : plurals}`;
}

/** How much of a profile was read; nothing where nothing is counted: one that is read back has no events to count. */
export function readText(events: number): string {
  return events > 0 ? plural(events, 'event') : '';
}
