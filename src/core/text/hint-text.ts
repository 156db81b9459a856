import type {Stalls} from '../lines/stalls.js';
import type {Hint} from '../lines/hints.js';
import {formatDuration, formatPercent} from '../format/duration.js';
import {amount} from './line-fields.js';

/**
 * A hint in a sentence: what the place does, and what the profile measured of it. Names are text.
 *
 *     .item() waits for the GPU. In this profile such calls inside "metrics" blocked the CPU for 27.3 ms/step (28.1 %, ×1).
 */
export function hintText({suspect, measured}: Hint, {steps, wallNs}: Pick<Stalls, 'steps' | 'wallNs'>): string {
  const divisor = steps > 0 ? steps : 1;
  const time = (ns: number) => `${formatDuration(ns / divisor)}${steps > 0 ? '/step' : ''}`;
  switch (measured.what) {
    case 'wait': {
      const {calls, blockedNs} = measured.stall;
      const where = measured.name === null ? `in ${suspect.functionName}` : `inside "${measured.name}"`;
      const share = `${formatPercent(blockedNs, wallNs)} of the ${steps > 0 ? 'steps' : 'profile'}`;
      return `${suspect.spelling} waits for the GPU. In this profile such calls ${where} blocked the CPU for ${time(blockedNs)} (${share}, ×${amount(calls / divisor)}).`;
    }
    case 'tail':
      return `${suspect.spelling} is read without torch.cuda.synchronize() before it, so it does not time the GPU. In this profile the GPU worked on for ${time(measured.tailNs)} after "${measured.name}" had been closed.`;
    case 'first': {
      const {firstNs, laterNs, name} = measured;
      return `${suspect.spelling} records without a warm-up. In this profile the first "${name}" took ${formatDuration(firstNs)}, those after it ${formatDuration(laterNs)}: give it a schedule with warmup=1 or more.`;
    }
    case 'checks': {
      const {calls, blockedNs} = measured.stall;
      return `${suspect.spelling} checks every gradient. In this profile the checks took ${time(blockedNs)} (×${amount(calls / divisor)}): leave it off but to find an error.`;
    }
  }
}
