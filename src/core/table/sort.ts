/** Below this many rows a comparison sort is faster than passes over 65,536 buckets. */
const radixFromRows = 20_000;
const digitBits = 16;
const buckets = 1 << digitBits;

/**
 * The order that sorts rows by `track`, then by `startNs`; rows equal in both keep their order.
 *
 * `track` holds indices from 0, `startNs` whole numbers. Linear time: one counting pass brings the tracks together, and
 * only tracks that are not in order are sorted, 16 bits of their time at a time. Profilers write most tracks in order.
 */
export function orderByTrackAndStart(track: Int32Array, startNs: Float64Array, length: number): Uint32Array {
  const {order, offsets} = groupByTrack(track, length);
  for (let group = 0; group + 1 < offsets.length; group++) {
    const rows = order.subarray(offsets[group], offsets[group + 1]);
    if (!isSorted(rows, startNs)) sortByStart(rows, startNs);
  }
  return order;
}

/** Sorts ascending row numbers by their `startNs`, in place; of equal ones the earlier row stays first. */
export function sortByStart(rows: Uint32Array, startNs: Float64Array): void {
  let leastNs = Infinity;
  let mostNs = -Infinity;
  for (const row of rows) {
    leastNs = Math.min(leastNs, startNs[row]);
    mostNs = Math.max(mostNs, startNs[row]);
  }
  // More digits than these take longer than comparing, and times beyond 2^48 ns (78 hours) are not what it is for.
  const digits = Math.ceil(Math.log2(mostNs - leastNs + 1) / digitBits);
  if (rows.length < radixFromRows || !(digits <= 3)) {
    rows.sort((a, b) => startNs[a] - startNs[b] || a - b);
  } else radixSort(rows, startNs, leastNs, digits);
}

function groupByTrack(track: Int32Array, length: number): {order: Uint32Array; offsets: Uint32Array} {
  let tracks = 0;
  for (let i = 0; i < length; i++) tracks = Math.max(tracks, track[i] + 1);
  const offsets = new Uint32Array(tracks + 1);
  for (let i = 0; i < length; i++) offsets[track[i] + 1]++;
  for (let i = 0; i < tracks; i++) offsets[i + 1] += offsets[i];
  const order = new Uint32Array(length);
  const next = offsets.slice();
  for (let i = 0; i < length; i++) order[next[track[i]]++] = i;
  return {order, offsets};
}

function isSorted(rows: Uint32Array, startNs: Float64Array): boolean {
  for (let i = 1; i < rows.length; i++) if (startNs[rows[i]] < startNs[rows[i - 1]]) return false;
  return true;
}

/** Least significant digit first; each pass is stable, so earlier digits stay in order. */
function radixSort(rows: Uint32Array, startNs: Float64Array, leastNs: number, digits: number): void {
  const {length} = rows;
  const counts = new Uint32Array(buckets + 1);
  let from = {rows: rows.slice(), low: new Uint32Array(length), high: new Uint16Array(length)};
  let to = {rows: new Uint32Array(length), low: new Uint32Array(length), high: new Uint16Array(length)};
  for (let i = 0; i < length; i++) {
    const key = startNs[rows[i]] - leastNs;
    from.low[i] = key;
    from.high[i] = key / 2 ** 32;
  }
  for (let digit = 0; digit < digits; digit++) {
    const {low, high} = from;
    counts.fill(0);
    for (let i = 0; i < length; i++) counts[digitOf(low, high, i, digit) + 1]++;
    for (let i = 0; i < buckets; i++) counts[i + 1] += counts[i];
    for (let i = 0; i < length; i++) {
      const place = counts[digitOf(low, high, i, digit)]++;
      to.rows[place] = from.rows[i];
      to.low[place] = low[i];
      to.high[place] = high[i];
    }
    [from, to] = [to, from];
  }
  rows.set(from.rows);
}

function digitOf(low: Uint32Array, high: Uint16Array, at: number, digit: number): number {
  if (digit === 0) return low[at] & 0xffff;
  return digit === 1 ? low[at] >>> 16 : high[at];
}
