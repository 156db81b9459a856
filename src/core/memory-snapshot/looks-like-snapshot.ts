/** Keys that the beginning of a snapshot has: of the whole, or of its first segment where it is a list of these. */
const keys = ['segments', 'device_traces', 'total_size'];

/** Whether the beginning of a file, unpacked, is that of a pickled memory snapshot; other pickles are none of ours. */
export function looksLikeSnapshot(head: Uint8Array): boolean {
  const isPickle = head.length > 2 && head[0] === 0x80 && head[1] >= 2 && head[1] <= 5;
  if (!isPickle) return false;
  const text = Array.from(head.subarray(0, 2048), byte => String.fromCharCode(byte)).join('');
  return keys.some(key => text.includes(key));
}
