/**
 * Returns the arguments as one line that a POSIX shell splits into the same arguments.
 *
 * @see https://pubs.opengroup.org/onlinepubs/9799919799/utilities/V3_chap02.html (2.2.2, single quotes)
 */
export function shellQuoted(args: readonly string[]): string {
  return args
    .map(argument => (/^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", `'\\''`)}'`))
    .join(' ');
}
