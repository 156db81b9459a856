import type {MemorySegments} from './memory-snapshot.js';

/**
 * Returns a function that finds the segment of a device that contains an address; -1 if no segment at the snapshot's
 * end does.
 */
export function segmentAt(segments: MemorySegments, device: number): (address: number) => number {
  const rows = Array.from({length: segments.length}, (_, row) => row)
    .filter(row => segments.device[row] === device)
    .sort((a, b) => segments.address[a] - segments.address[b]);
  return address => {
    let low = 0;
    let high = rows.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (segments.address[rows[middle]] <= address) low = middle + 1;
      else high = middle;
    }
    if (low === 0) return -1;
    const row = rows[low - 1];
    return address < segments.address[row] + segments.bytes[row] ? row : -1;
  };
}
