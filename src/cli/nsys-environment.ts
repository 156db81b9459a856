import type {NsysHints} from '../launch/programs/find-nsys.js';
import {usualSilenceSeconds} from '../launch/nsys/silence-limit.js';
import {UsageError} from './command.js';
import {environmentVariable} from './environment-variable.js';

const limitVariable = 'GPU_LENS_NSYS_LIMIT';

/** Set for commands that must not run nsys, however a report is named and wherever it lies. */
export const noNsysVariable = 'GPU_LENS_NO_NSYS';

/** The path of nsys according to the environment. */
export function nsysHints(): NsysHints {
  return {setting: environmentVariable('GPU_LENS_NSYS'), settingName: 'GPU_LENS_NSYS'};
}

/**
 * Returns how long nsys may neither write nor end, in ms; 0 for no limit.
 *
 * @throws UsageError for anything but a number of seconds: a wrong limit must not mean no limit
 */
export function nsysLimitMs(): number {
  const text = environmentVariable(limitVariable);
  const seconds = Number(text ?? usualSilenceSeconds);
  if (seconds >= 0 && Number.isFinite(seconds)) return seconds * 1000;
  throw new UsageError(`${limitVariable} takes a number of seconds; not "${text ?? ''}".`);
}
