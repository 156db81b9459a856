/** Keys at the beginning of a snapshot, or of its first segment if it is a list of segments. */
const keys = ['segments', 'device_traces', 'total_size'];

/**
 * Returns whether the beginning of a file, unpacked, is that of a pickled memory snapshot, rather than of another
 * pickle.
 */
export function looksLikeSnapshot(head: Uint8Array): boolean {
  const isPickle = head.length > 2 && head[0] === 0x80 && head[1] >= 2 && head[1] <= 5;
  if (!isPickle) return false;
  const text = Array.from(head.subarray(0, 2048), byte => String.fromCharCode(byte)).join('');
  return keys.some(key => text.includes(key));
}
