import {say} from '../base/say.js';
import type {Stalls} from '../lines/stalls.js';
import type {Hint} from '../lines/hints.js';
import {formatDuration, formatPercent} from '../format/duration.js';
import {amount} from './line-fields.js';

/**
 * Returns a hint in a sentence: what the place does, and what the profile measured. Names are text.
 *
 *     .item() waits for the GPU. In this profile such calls inside "metrics" blocked the CPU for 27.3 ms/step (28.1 %, ×1).
 */
export function hintText({suspect, measured}: Hint, {steps, wallNs}: Pick<Stalls, 'steps' | 'wallNs'>): string {
  const divisor = steps > 0 ? steps : 1;
  const time = (ns: number) => `${formatDuration(ns / divisor)}${steps > 0 ? '/step' : ''}`;
  switch (measured.what) {
    case 'wait': {
      const {calls, blockedNs} = measured.stall;
      const where = measured.name === null ? say('in {0}', suspect.functionName) : say('inside "{0}"', measured.name);
      const percent = formatPercent(blockedNs, wallNs);
      return say(
        '{0} waits for the GPU. In this profile such calls {1} blocked the CPU for {2} ({3}, ×{4}).',
        suspect.spelling,
        where,
        time(blockedNs),
        steps > 0 ? say('{0} of the steps', percent) : say('{0} of the profile', percent),
        amount(calls / divisor),
      );
    }
    case 'tail':
      return say(
        '{0} is read without torch.cuda.synchronize() before it, so it does not time the GPU. In this profile the GPU worked on for {1} after "{2}" had been closed.',
        suspect.spelling,
        time(measured.tailNs),
        measured.name,
      );
    case 'first': {
      const {firstNs, laterNs, name} = measured;
      return say(
        '{0} records without a warm-up. In this profile the first "{1}" took {2}, those after it {3}: give it a schedule with warmup=1 or more.',
        suspect.spelling,
        name,
        formatDuration(firstNs),
        formatDuration(laterNs),
      );
    }
    case 'checks': {
      const {calls, blockedNs} = measured.stall;
      return say(
        '{0} checks every gradient. In this profile the checks took {1} (×{2}): leave it off but to find an error.',
        suspect.spelling,
        time(blockedNs),
        amount(calls / divisor),
      );
    }
  }
}
