import {TraceError} from '../../base/errors.js';
import {say} from '../../base/say.js';
import {median} from '../../base/median.js';
import {rowsOfKinds} from '../../attribution/rows-of-kinds.js';
import {matchRanges, parseRangeFilter} from '../../scope/range-filter.js';
import {stepsNumbered, stepsOf, type Step} from '../../scope/steps.js';
import {taggedRangeKinds} from '../../trace/slices.js';
import type {Trace} from '../../trace/trace.js';
import type {RecordedWindow} from './recorded-events.js';

/** A window with its description. */
export interface NamedWindow extends RecordedWindow {
  readonly text: string;
}

/**
 * Returns the window for a question: a step by its number, or the first range that matches a filter. By default, the
 * step nearest to the median of the steps without the first; for a profile without steps, the whole.
 *
 * @throws TraceError `selection/no-match` if there is no such step or range
 */
export function recordedWindow(trace: Trace, step: number | null, range: string | null): NamedWindow {
  if (range !== null) return windowOfRange(trace, range);
  if (step !== null) return windowOfStep(stepsNumbered(trace, step)[0]);
  const steps = stepsOf(trace);
  if (steps.length === 0) return {fromNs: 0, toNs: trace.spanNs, text: say('the whole profile')};
  return windowOfStep(usualStep(steps));
}

/** Returns the window of a step: its range. */
export function windowOfStep({startNs, endNs, number}: Step): NamedWindow {
  return {fromNs: startNs, toNs: endNs, text: say('step {0}', number)};
}

function usualStep(steps: readonly Step[]): Step {
  const others = steps.length > 1 ? steps.slice(1) : steps;
  const lengthOf = ({startNs, endNs}: Step) => endNs - startNs;
  const middle = median(others.map(lengthOf));
  return others.reduce((best, step) =>
    Math.abs(lengthOf(step) - middle) < Math.abs(lengthOf(best) - middle) ? step : best,
  );
}

function windowOfRange(trace: Trace, text: string): NamedWindow {
  const {slices} = trace;
  const rows = rowsOfKinds(trace, taggedRangeKinds);
  const found = Array.from(matchRanges(trace, rows, parseRangeFilter(text)), range => rows[range]);
  if (found.length === 0) throw new TraceError('selection/no-match', say('The profile has no range "{0}".', text));
  const first = found.reduce((best, row) => (slices.startNs[row] < slices.startNs[best] ? row : best));
  const fromNs = slices.startNs[first];
  return {fromNs, toNs: fromNs + slices.durationNs[first], text: say('range "{0}"', text)};
}
