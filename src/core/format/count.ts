import {say} from '../base/say.js';

/**
 * Formats an integer with commas between thousands. `toLocaleString` would block its thread for 10 to 30 ms on the
 * first call.
 */
export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** Formats a number with its noun: `1 kernel`, `1,465 kernels`, `2 copies`. */
export function plural(count: number, noun: string): string {
  const plurals = noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return `${formatCount(count)} ${count === 1 ? noun : plurals}`;
}

/**
 * Returns `one` for a count of 1, else `many`, in the editor's language.
 *
 * @param values the first, `{0}`, is the count; these follow it
 */
export function counted(count: number, one: string, many: string, ...values: readonly (string | number)[]): string {
  return say(count === 1 ? one : many, formatCount(count), ...values);
}

/**
 * Returns how much of a profile was read; nothing if nothing is counted, because a profile read from the cache has no
 * events to count.
 */
export function readText(events: number): string {
  return events > 0 ? plural(events, 'event') : '';
}
