import {RefusedError} from './confined.js';

/** What a client gave for a tool. */
export type ToolInput = Readonly<Record<string, unknown>>;

/** Returns a text that has to be there. @throws RefusedError */
export function textOf(input: ToolInput, key: string): string {
  const value = input[key];
  if (typeof value === 'string' && value !== '') return value;
  throw new RefusedError(`"${key}" is a text that is not empty.`);
}

/** Returns a text that may be left out. @throws RefusedError */
export function optionalText(input: ToolInput, key: string): string | null {
  return input[key] === undefined ? null : textOf(input, key);
}

/** Returns whether a switch is on. @throws RefusedError */
export function isOn(input: ToolInput, key: string): boolean {
  const value = input[key] ?? false;
  if (typeof value === 'boolean') return value;
  throw new RefusedError(`"${key}" is true or false.`);
}

/** Returns texts; none where the key is left out. @throws RefusedError */
export function textsOf(input: ToolInput, key: string): readonly string[] {
  const value = input[key] ?? [];
  if (Array.isArray(value) && value.every(item => typeof item === 'string' && item !== '')) return value as string[];
  throw new RefusedError(`"${key}" is a list of texts that are not empty.`);
}

/** Returns a whole number from `least` on; null where the key is left out. @throws RefusedError */
export function wholeOf(input: ToolInput, key: string, least: number): number | null {
  const value = input[key];
  if (value === undefined || value === null) return null;
  if (Number.isSafeInteger(value) && (value as number) >= least) return value as number;
  throw new RefusedError(`"${key}" is a whole number from ${String(least)} on.`);
}

/** Returns a number above 0; null where the key is left out. @throws RefusedError */
export function positiveOf(input: ToolInput, key: string): number | null {
  const value = input[key];
  if (value === undefined || value === null) return null;
  if (typeof value === 'number' && value > 0 && Number.isFinite(value)) return value;
  throw new RefusedError(`"${key}" is a number above 0.`);
}
