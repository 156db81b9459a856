import {kineto, kinetoText} from './kineto-events.js';

/** Steps of `twoRangeSteps`. */
export const steps = 12;

/**
 * Returns a Kineto trace of twelve steps with a kernel in each of two ranges; one kernel takes `attentionUs` and up to
 * 2 µs more.
 */
export function twoRangeSteps(attentionUs: number, gpu?: string): string {
  const events = Array.from({length: steps}, (_, step) => {
    const at = step * 1000;
    const jitterUs = step % 3;
    return [
      kineto.range(`ProfilerStep#${String(step + 3)}`, at, 900),
      kineto.range('attention', at + 10, 100),
      kineto.call(2 * step + 1, at + 20, 5),
      kineto.kernel(2 * step + 1, at + 200, attentionUs + jitterUs),
      kineto.range('mlp', at + 120, 60),
      kineto.call(2 * step + 2, at + 130, 5),
      kineto.kernel(2 * step + 2, at + 600, 200 + jitterUs),
    ];
  }).flat();
  return kinetoText(events, gpu === undefined ? {} : {deviceProperties: [{id: 0, name: gpu}]});
}
