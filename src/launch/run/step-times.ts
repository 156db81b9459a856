import {isCount, type JsonFields} from '../../core/base/read-json.js';

/** What each measured step of a process took by itself, in ns. */
export interface StepTimes {
  /** What a step was: `train`, `infer`, `forward` or `range`. */
  readonly what: string;
  /** By a clock, the GPU idle at both ends. */
  readonly stepNs: readonly number[];
  /** By CUDA events in the stream; null where there is no CUDA. */
  readonly eventNs: readonly number[] | null;
  readonly device: string;
}

/** The times in fields that anybody may have written; null where they are none. */
export function parseStepTimes({what, stepNs, eventNs, device}: JsonFields): StepTimes | null {
  if (typeof what !== 'string' || typeof device !== 'string' || !isDurations(stepNs)) return null;
  return {what, stepNs, eventNs: isDurations(eventNs) ? eventNs : null, device};
}

function isDurations(value: unknown): value is number[] {
  return Array.isArray(value) && value.every(duration => isCount(duration));
}
