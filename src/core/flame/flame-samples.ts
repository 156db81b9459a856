/**
 * The samples from which blocks are summed: a row per GPU operation, gap, or range, with its place in a tree, and its
 * figures.
 *
 *     row  node  weight  startNs  endNs  device  slice  range
 *       0     4    2000     1000   3000       0     11      2   an operation
 *       1     1     500     3000   3500      -1     -1     -1   a gap
 *
 * `device` is an index into the trace's devices, -1 if the sample is not a GPU operation. Rows are in the order of the
 * trace.
 */
export interface FlameSamples {
  readonly length: number;
  /** The innermost block that contains it; -1 for none. */
  readonly node: Int32Array;
  /** In the weight's unit. */
  readonly weight: Float64Array;
  readonly startNs: Float64Array;
  readonly endNs: Float64Array;
  readonly device: Int32Array;
  /** Row of the slices table, -1 for none. */
  readonly slice: Int32Array;
  /** The range that the sample is credited to, or that it is; -1 for none. */
  readonly range: Int32Array;
}

/** The origin of a sample. */
export interface SampleSource {
  device: number;
  slice: number;
  range: number;
}

/** The origin of a gap: nothing. */
export const noSource: Readonly<SampleSource> = {device: -1, slice: -1, range: -1};

/** Collects samples. */
export class FlameSamplesBuilder {
  #capacity: number;
  #length = 0;
  #samples: Omit<FlameSamples, 'length'>;

  constructor(capacity: number) {
    this.#capacity = Math.max(16, capacity);
    this.#samples = allocate(this.#capacity);
  }

  add(node: number, weight: number, startNs: number, endNs: number, of: SampleSource): void {
    if (this.#length === this.#capacity) this.#grow();
    const at = this.#length++;
    this.#samples.node[at] = node;
    this.#samples.weight[at] = weight;
    this.#samples.startNs[at] = startNs;
    this.#samples.endNs[at] = endNs;
    this.#samples.device[at] = of.device;
    this.#samples.slice[at] = of.slice;
    this.#samples.range[at] = of.range;
  }

  finish(): FlameSamples {
    return {length: this.#length, ...this.#samples};
  }

  #grow(): void {
    const old = this.#samples;
    this.#capacity *= 2;
    const grown = allocate(this.#capacity);
    grown.node.set(old.node);
    grown.weight.set(old.weight);
    grown.startNs.set(old.startNs);
    grown.endNs.set(old.endNs);
    grown.device.set(old.device);
    grown.slice.set(old.slice);
    grown.range.set(old.range);
    this.#samples = grown;
  }
}

function allocate(length: number): Omit<FlameSamples, 'length'> {
  return {
    node: new Int32Array(length),
    weight: new Float64Array(length),
    startNs: new Float64Array(length),
    endNs: new Float64Array(length),
    device: new Int32Array(length),
    slice: new Int32Array(length),
    range: new Int32Array(length),
  };
}
