/** One file of a zip archive. */
export interface ZipEntry {
  readonly path: string;
  readonly packedBytes: number;
}

const endMark = 0x06054b50;
const entryMark = 0x02014b50;
const entryBytes = 46;

/**
 * Returns the files that a zip archive lists at its end.
 *
 * @see "APPNOTE.TXT – .ZIP File Format Specification", 4.3.12 and 4.3.16
 */
export function zipEntries(archive: Buffer): ZipEntry[] {
  let end = archive.length - 22;
  while (end >= 0 && archive.readUInt32LE(end) !== endMark) end--;
  if (end < 0) throw new Error('There is no end of central directory: this is no zip archive.');
  const entries: ZipEntry[] = [];
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    if (archive.readUInt32LE(at) !== entryMark) throw new Error(`There is no entry at byte ${String(at)}.`);
    const nameBytes = archive.readUInt16LE(at + 28);
    const path = archive.toString('utf8', at + entryBytes, at + entryBytes + nameBytes);
    entries.push({path, packedBytes: archive.readUInt32LE(at + 20)});
    at += entryBytes + nameBytes + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  return entries;
}
