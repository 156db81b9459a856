import type {ClassEfficiency} from './fit-efficiency.js';
import type {PredictedClass} from './work-class.js';

/** Floor and efficiency of each class; null if the profiles have no measured operator of the class. */
export type EfficiencyTable = Readonly<Record<PredictedClass, ClassEfficiency | null>>;

/**
 * Measured on public profiles, excluding those of the predicted chip, so that the error of a prediction for it was
 * measured, too. `test/core/predicted-gpu/real-efficiency.test.ts` measures both again from the profiles.
 *
 * @see docs/performance.md#predicted-gpu
 */
export const efficiencyTables: Readonly<Record<'v100' | 'a100' | 'h100' | 'mi300x' | 'other', EfficiencyTable>> = {
  v100: table([8000, 0.68], [10_000, 0.149], [4000, 0.2], [2500, 0.2], [1500, 0.827]),
  a100: table([8000, 0.68], [10_000, 0.149], [4000, 0.2], [3000, 0.21], [1500, 0.869]),
  h100: table([10_000, 0.532], [10_000, 0.149], null, [6000, 0.255], [3000, 0.913]),
  mi300x: table([6000, 0.507], null, [4000, 0.2], [3000, 0.2], [1500, 0.827]),
  other: table([8000, 0.587], [10_000, 0.149], [4000, 0.2], [3000, 0.2], [1500, 0.869]),
};

/** Returns the table for a preset (`a100-80gb`): the one measured without its chip. */
export function efficiencyFor(id: string): EfficiencyTable {
  if (id.startsWith('v100')) return efficiencyTables.v100;
  if (id.startsWith('a100')) return efficiencyTables.a100;
  if (/^h[12]00/.test(id)) return efficiencyTables.h100;
  return id.startsWith('mi300') ? efficiencyTables.mi300x : efficiencyTables.other;
}

type Pair = readonly [floorNs: number, efficiency: number] | null;

function table(product: Pair, convolution: Pair, attention: Pair, rows: Pair, elementwise: Pair): EfficiencyTable {
  const figures = (pair: Pair) => pair && {floorNs: pair[0], efficiency: pair[1]};
  return {
    product: figures(product),
    convolution: figures(convolution),
    attention: figures(attention),
    rows: figures(rows),
    elementwise: figures(elementwise),
  };
}
