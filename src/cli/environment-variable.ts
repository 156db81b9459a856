/** An environment variable; an empty one counts as not set. */
export function environmentVariable(name: string): string | null {
  const value = process.env[name];
  return value === undefined || value === '' ? null : value;
}
