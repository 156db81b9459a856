import {seededRandom} from './random.js';

/** How steps of synthetic runs vary. */
export interface StepNoise {
  readonly rows: number;
  readonly steps: number;
  /** Standard deviation of a row's work from step to step, as a fraction of its mean. */
  readonly variation: number;
  /** Fraction of the variance that all rows of a step share, as caused by clocks. */
  readonly shared: number;
}

/** Returns a source of runs: each call returns the work of every row in each step of another run, ns. */
export function noisyRuns({rows, steps, variation, shared}: StepNoise, seed: number): () => Float64Array[] {
  const random = seededRandom(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const spread = Math.sqrt(Math.log(1 + variation ** 2));
  return () => {
    const ofSteps = Array.from({length: steps}, normal);
    return Array.from({length: rows}, (_, row) =>
      Float64Array.from(ofSteps, ofStep => {
        const deviation = Math.sqrt(shared) * ofStep + Math.sqrt(1 - shared) * normal();
        // Times are skewed: a step can take far longer, but not far less.
        return 1e6 * (1 + row) * Math.exp(spread * deviation - spread ** 2 / 2);
      }),
    );
  };
}

/** Returns a source of runs whose steps are drawn, as a whole, from the steps of a recorded run. */
export function resampledRuns(recorded: readonly Float64Array[], steps: number, seed: number): () => Float64Array[] {
  const random = seededRandom(seed);
  return () => {
    const drawn = Array.from({length: steps}, () => Math.floor(random() * (recorded[0]?.length ?? 0)));
    return recorded.map(row => Float64Array.from(drawn, step => row[step] ?? NaN));
  };
}
