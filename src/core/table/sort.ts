/** Below this many rows a comparison sort is faster than four passes over 65,536 buckets. */
const radixFromRows = 20_000;

/**
 * The order that sorts rows by `track`, then by `startNs`; rows equal in both keep their order.
 *
 * `startNs` holds whole numbers from 0 up to 2^48 (78 hours in ns); `track` holds indices below 2^16. Larger values
 * take the comparison sort. Linear time: one counting pass per 16 bits of the key.
 */
export function orderByTrackAndStart(track: Int32Array, startNs: Float64Array, length: number): Uint32Array {
  const order = new Uint32Array(length);
  for (let i = 0; i < length; i++) order[i] = i;
  if (isSorted(track, startNs, length)) return order;
  if (length < radixFromRows || !fitsRadix(track, startNs, length)) {
    return order.sort((a, b) => track[a] - track[b] || startNs[a] - startNs[b] || a - b);
  }
  return radixSort(order, track, startNs);
}

function isSorted(track: Int32Array, startNs: Float64Array, length: number): boolean {
  for (let i = 1; i < length; i++) {
    if (track[i] < track[i - 1] || (track[i] === track[i - 1] && startNs[i] < startNs[i - 1])) return false;
  }
  return true;
}

function fitsRadix(track: Int32Array, startNs: Float64Array, length: number): boolean {
  for (let i = 0; i < length; i++) {
    if (track[i] > 0xffff || track[i] < 0 || startNs[i] < 0 || startNs[i] >= 2 ** 48) return false;
  }
  return true;
}

function radixSort(order: Uint32Array, track: Int32Array, startNs: Float64Array): Uint32Array {
  const length = order.length;
  const low = new Uint32Array(length);
  const high = new Uint16Array(length);
  for (let i = 0; i < length; i++) {
    high[i] = Math.floor(startNs[i] / 2 ** 32);
    low[i] = startNs[i] % 2 ** 32;
  }
  const counts = new Uint32Array(65_537);
  let from: Uint32Array = order;
  let to: Uint32Array = new Uint32Array(length);
  // Least significant digit first; each pass is stable, so earlier digits stay in order.
  for (let digit = 0; digit < 4; digit++) {
    counts.fill(0);
    for (let i = 0; i < length; i++) counts[digitOf(digit, from[i], low, high, track) + 1]++;
    for (let i = 0; i < 65_536; i++) counts[i + 1] += counts[i];
    for (let i = 0; i < length; i++) to[counts[digitOf(digit, from[i], low, high, track)]++] = from[i];
    [from, to] = [to, from];
  }
  return from;
}

function digitOf(digit: number, row: number, low: Uint32Array, high: Uint16Array, track: Int32Array): number {
  if (digit === 0) return low[row] & 0xffff;
  if (digit === 1) return low[row] >>> 16;
  return digit === 2 ? high[row] : track[row];
}
