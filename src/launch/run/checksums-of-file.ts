import {readFileSync, statSync} from 'node:fs';
import {crc32} from 'node:zlib';

/**
 * Returns the checksums of a file's lines, as the runner writes them; null if it cannot be read, or is not a source.
 *
 * @param longestBytes a larger file is not a source
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
