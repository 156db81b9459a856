import {readFileSync, statSync} from 'node:fs';
import {crc32} from 'node:zlib';

/**
 * The checksums of a file's lines, as the runner writes them; null where it cannot be read, or is no source.
 *
 * @param longestBytes a larger file is no source
 */
export function lineChecksums(path: string, longestBytes: number): number[] | null {
  try {
    const stats = statSync(path);
    if (!stats.isFile() || stats.size > longestBytes) return null;
    const lines = readFileSync(path, 'utf8').split(/\r\n|\r|\n/);
    return lines.map(line => crc32(line));
  } catch {
    return null;
  }
}
