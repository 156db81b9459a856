import {isCount, type JsonFields} from '../../core/base/read-json.js';

/** The time of each measured step of a process, in ns. */
export interface StepTimes {
  /** The kind of step: `train`, `infer`, `forward` or `range`. */
  readonly what: string;
  /** Measured with a clock; the GPU is idle at both ends. */
  readonly stepNs: readonly number[];
  /** Measured with CUDA events in the stream; null without CUDA. */
  readonly eventNs: readonly number[] | null;
  readonly device: string;
}

/** Returns the times in untrusted fields; null if they are invalid. */
export function parseStepTimes({what, stepNs, eventNs, device}: JsonFields): StepTimes | null {
  if (typeof what !== 'string' || typeof device !== 'string' || !isDurations(stepNs)) return null;
  return {what, stepNs, eventNs: isDurations(eventNs) ? eventNs : null, device};
}

function isDurations(value: unknown): value is number[] {
  return Array.isArray(value) && value.every(duration => isCount(duration));
}
