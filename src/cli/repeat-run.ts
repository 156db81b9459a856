import {pushAll} from '../core/table/extremes.js';
import type {ProfileResult} from '../launch/run/profile-result.js';
import {textOption, UsageError, type OptionValues} from './command.js';

/** More would hardly be waited for. */
const mostRuns = 100;

/** Returns how often a command is recorded under the PyTorch profiler: as `--runs` says, else once. @throws UsageError */
export function recordedRuns({profiler, runs}: OptionValues): number {
  const text = profiler === 'nsys' ? null : textOption(runs);
  if (text === null) return 1;
  const count = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= mostRuns) return count;
  throw new UsageError(`--runs takes a whole number from 1 to ${String(mostRuns)}, not "${text}".`);
}

/**
 * Records a command several times, one run after the other, and returns all of their profiles. It stops at the first run
 * that fails or is cancelled, whose status and sentences are the result's.
 */
export async function runRepeatedly(
  runs: number,
  run: (number: number) => Promise<ProfileResult>,
): Promise<ProfileResult> {
  let last = await run(1);
  const profiles = [...last.profiles];
  for (let number = 2; number <= runs && !last.isCancelled && last.status === 0; number++) {
    last = await run(number);
    pushAll(profiles, last.profiles);
  }
  return {...last, profiles};
}
