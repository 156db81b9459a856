/** Number of time bins in a row of a sketch. */
export const binCount = 512;

/**
 * The slices of one row by equal parts of time. For each bin: the longest slice in it (its name, kind and duration),
 * the number of slices that begin in it, and the time that they cover, at most.
 */
export class SliceBins {
  readonly longestNs = new Float64Array(binCount).fill(-1);
  readonly name = new Int32Array(binCount);
  readonly kind = new Uint8Array(binCount);
  readonly count = new Uint32Array(binCount);
  readonly coveredNs = new Float64Array(binCount);

  /** Records a slice in each bin of which it is the longest; `lastBin` included. */
  fill(firstBin: number, lastBin: number, durationNs: number, name: number, kind: number): void {
    for (let bin = firstBin; bin <= lastBin; bin++) {
      if (durationNs <= this.longestNs[bin]) continue;
      this.longestNs[bin] = durationNs;
      this.name[bin] = name;
      this.kind[bin] = kind;
    }
  }

  /** Returns the same in bins 2^`shift` times as wide: bin `b` becomes `(from + b) >> shift`, minus `to`. */
  moved(from: number, shift: number, to: number): SliceBins {
    const wide = new SliceBins();
    const factor = 2 ** shift;
    for (let bin = 0; bin < binCount; bin++) {
      if (this.longestNs[bin] < 0) continue;
      const at = Math.floor((from + bin) / factor) - to;
      wide.fill(at, at, this.longestNs[bin], this.name[bin], this.kind[bin]);
      wide.count[at] += this.count[bin];
      wide.coveredNs[at] += this.coveredNs[bin];
    }
    return wide;
  }
}
