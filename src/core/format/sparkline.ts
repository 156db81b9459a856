import {greatest} from '../table/extremes.js';

const bars = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;

/** Returns values as a row of bars from 0 to the largest: `▆▇█▆`. Empty for none. */
export function sparkline(values: readonly number[]): string {
  const most = Math.max(0, greatest(values));
  return values.map(value => bars[most > 0 ? Math.round((value / most) * (bars.length - 1)) : 0]).join('');
}
