/** Returns whether bytes are the beginning of a zip, which may have no entries. */
export function isZipHead(head: Buffer): boolean {
  return head.length >= 4 && [0x504b0304, 0x504b0506].includes(head.readUInt32BE(0));
}
