import {upperBound} from '../table/search.js';
import {eventsOf} from './events-of.js';
import {optimizerSteps} from './memory-category.js';
import type {MemorySnapshot} from './memory-snapshot.js';

/** One iteration of a loop: the events after `fromMoment`, up to `toMoment`. */
interface MemoryStep {
  readonly fromMoment: number;
  readonly toMoment: number;
}

/**
 * Returns the steps of a device's history, in order: its profile's steps; else one for each step of an optimizer, which
 * ends it.
 *
 * @see docs/metrics.md#memory-snapshots
 */
export function memorySteps(snapshot: MemorySnapshot, device: number): {steps: MemoryStep[]; isGuessed: boolean} {
  const {length, timeUs} = eventsOf(snapshot, device);
  const told = snapshot.profile?.steps ?? [];
  if (told.length === 0 || timeUs === null) return {steps: guessedSteps(snapshot, device), isGuessed: true};
  const steps = told.map(({startUs, endUs}) => ({
    fromMoment: Math.min(length, upperBound(timeUs, startUs)),
    toMoment: Math.min(length, upperBound(timeUs, endUs)),
  }));
  return {steps, isGuessed: false};
}

/**
 * Returns steps guessed from an optimizer. Events without a stack, which C++ may cause, do not end a step. Events after
 * the last optimizer step are in no step.
 */
function guessedSteps(snapshot: MemorySnapshot, device: number): MemoryStep[] {
  const {length, stack} = eventsOf(snapshot, device);
  const isOptimizer = optimizerSteps(snapshot);
  const ends: number[] = [];
  let last = -1;
  for (let event = 0; event < length; event++) {
    if (stack[event] < 0) continue;
    if (isOptimizer[stack[event]] === 1) last = event;
    else if (last >= 0) {
      ends.push(last + 1);
      last = -1;
    }
  }
  if (last >= 0) ends.push(last + 1);
  return ends.map((toMoment, step) => ({fromMoment: ends[step - 1] ?? 0, toMoment}));
}
