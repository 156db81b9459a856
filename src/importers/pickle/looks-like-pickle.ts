/** Returns whether a file begins like a pickle of protocol 2 to 5, whose second byte is the protocol. */
export function looksLikePickle(head: Buffer): boolean {
  return head.length >= 2 && head[0] === 0x80 && head[1] >= 2 && head[1] <= 5;
}
