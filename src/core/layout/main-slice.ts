import {kernelClass, kernelClasses} from '../names/kernel-class.js';
import {derived, derivedKey} from '../trace/derived.js';
import {sliceKinds} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';
import type {DrawnSlices} from './lane-index.js';

/**
 * Of many slices, only this many are read, at equal distances, so that a block's cost does not depend on its number of
 * slices.
 */
const looks = 16;
const kernelKind = sliceKinds.indexOf('kernel');
const copyKinds: ReadonlySet<number> = new Set([sliceKinds.indexOf('gpu_memcpy'), sliceKinds.indexOf('gpu_memset')]);
const copyClass = sliceKinds.length + kernelClasses.indexOf('copy');

const kernelClassesByNameKey = derivedKey<Uint8Array>('kernel classes by name');

/** Finds the slice whose colour a block of several slices gets. Created for one answer; do not keep it. */
export class MainSliceFinder {
  /** String index → class of a kernel of that name plus 1, 0 if not computed yet. */
  readonly #classes: Uint8Array;
  readonly #sums = new Float64Array(sliceKinds.length + kernelClasses.length);
  readonly #rows = new Int32Array(looks);
  readonly #groups = new Int32Array(looks);

  constructor(private readonly trace: Trace) {
    this.#classes = derived(
      trace,
      kernelClassesByNameKey,
      () => new Uint8Array(trace.strings.length),
      ({byteLength}) => byteLength,
    );
  }

  /**
   * Returns the row of the slice that represents those at positions `from` to `to` (exclusive) of a lane's order: the
   * name with the most time, in the class of kernels or kind of slices with the most time. Of more than 16 slices, it
   * reads 16 at equal distances: it is only for colours, not for figures.
   */
  find({slices}: Pick<DrawnSlices, 'slices'>, order: Uint32Array, from: number, to: number): number {
    const count = Math.min(looks, to - from);
    const stride = (to - from) / count;
    let main = -1;
    this.#sums.fill(0);
    for (let look = 0; look < count; look++) {
      const row = order[from + Math.floor(look * stride)];
      const group = this.#groupOf(slices.kind[row], slices.name[row]);
      this.#rows[look] = row;
      this.#groups[look] = group;
      // A slice without a duration has a small weight, so that instants have a colour, too.
      this.#sums[group] += slices.durationNs[row] + 1e-6;
      if (main < 0 || this.#sums[group] > this.#sums[main]) main = group;
    }
    return this.#longestName(slices, count, main);
  }

  #longestName({name, durationNs}: DrawnSlices['slices'], count: number, main: number): number {
    let best = -1;
    let bestNs = -1;
    for (let look = 0; look < count; look++) {
      if (this.#groups[look] !== main) continue;
      let sumNs = 0;
      for (let other = 0; other < count; other++) {
        if (name[this.#rows[other]] === name[this.#rows[look]]) sumNs += durationNs[this.#rows[other]];
      }
      if (sumNs > bestNs) [best, bestNs] = [this.#rows[look], sumNs];
    }
    return best;
  }

  #groupOf(kind: number, name: number): number {
    if (copyKinds.has(kind)) return copyClass;
    if (kind !== kernelKind) return kind;
    let own = this.#classes[name];
    if (own === 0) {
      own = kernelClasses.indexOf(kernelClass(this.trace.strings.get(name))) + 1;
      this.#classes[name] = own;
    }
    return sliceKinds.length + own - 1;
  }
}
