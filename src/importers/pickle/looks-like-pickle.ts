/** Whether a file begins like a pickle of protocol 2 to 5: what opens it is in its second byte. */
export function looksLikePickle(head: Buffer): boolean {
  return head.length >= 2 && head[0] === 0x80 && head[1] >= 2 && head[1] <= 5;
}
