/** Root may read and write every file: what must stand before a command that may not. */
export function withoutRootsRights(): readonly string[] {
  if (process.getuid?.() !== 0) return [];
  return ['setpriv', '--bounding-set', '-dac_override,-dac_read_search'];
}
