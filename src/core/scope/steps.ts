import {say, template} from '../base/say.js';
import {TraceError} from '../base/errors.js';
import {derived, derivedKey} from '../trace/derived.js';
import {kindIndex, kindMask, taggedRangeKinds} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';

/** One iteration of a training loop, marked by a range. */
export interface Step {
  readonly number: number;
  /** Row of the slices table. */
  readonly slice: number;
  /** Index into `Trace.processes`. */
  readonly process: number;
  readonly startNs: number;
  /** The end of its range. Its GPU work may end later, as in `stepSpans`. */
  readonly endNs: number;
}

const stepsKey = derivedKey<readonly Step[]>('steps');

/**
 * Returns the steps of a trace in order of start. Uses the first of these that exist: the profiler's own
 * `ProfilerStep#N` (operators in traces of 2021); ranges with a numbered name (`step 3`, `train_step_3`,
 * `iteration=3`); or ranges all named `step`, `train_step` or `iteration`, numbered from 0. Several processes have a
 * step of each number.
 *
 * @see docs/metrics.md#selection
 */
export function stepsOf(trace: Trace): readonly Step[] {
  return derived(
    trace,
    stepsKey,
    () => findSteps(trace),
    steps => steps.length * stepBytes,
  );
}

/** The approximate memory of a step. */
export const stepBytes = 64;

/**
 * Returns the steps with a number, at least one; several if several processes have one.
 *
 * @param processes indices of the processes whose steps count; null for all
 * @throws TraceError `selection/no-match`
 */
export function stepsNumbered(
  trace: Trace,
  number: number,
  processes: ReadonlySet<number> | null = null,
): readonly Step[] {
  const steps = stepsOf(trace).filter(one => one.number === number && (processes?.has(one.process) ?? true));
  if (steps.length > 0) return steps;
  const text = processes ? template('That process has no step {0}.') : template('This profile has no step {0}.');
  throw new TraceError('selection/no-match', say(text, number));
}

/** From the most to the least reliable pattern. The first that matches any range is used. */
const waysToTell: readonly RegExp[] = [
  /^ProfilerStep#(\d+)$/,
  /^(?:\w+:)?(?:train(?:ing)?[ _-]?)?(?:step|iter(?:ation)?)[ _#:=-]*(\d+)$/i,
  /^(?:\w+:)?(?:train(?:ing)?[ _-]?)?(?:step|iter(?:ation)?)()$/i,
];

function findSteps({slices, strings, tracks}: Trace): readonly Step[] {
  const isTagged = kindMask(taggedRangeKinds);
  // Few names are of steps: all other slices are passed over by one look.
  const isOfStep = new Uint8Array(strings.length);
  const ways = waysToTell.map(pattern => {
    const numberOf = new Float64Array(strings.length).fill(-1);
    for (let name = 0; name < strings.length; name++) {
      const match = pattern.exec(strings.get(name));
      if (!match) continue;
      numberOf[name] = Number(match[1]);
      isOfStep[name] = 1;
    }
    return numberOf;
  });
  const found: Step[][] = ways.map(() => []);
  for (let slice = 0; slice < slices.length; slice++) {
    if (isOfStep[slices.name[slice]] === 0) continue;
    const kind = slices.kind[slice];
    if (isTagged[kind] === 0 && kind !== kindIndex.cpu_op) continue;
    for (let way = 0; way < (isTagged[kind] === 1 ? ways.length : 1); way++) {
      const number = ways[way][slices.name[slice]];
      if (number < 0) continue;
      const startNs = slices.startNs[slice];
      const endNs = startNs + slices.durationNs[slice];
      found[way].push({number, slice, process: tracks[slices.track[slice]].process, startNs, endNs});
      break;
    }
  }
  const way = found.findIndex(steps => steps.length > 0);
  if (way < 0) return [];
  const steps = found[way].sort((a, b) => a.startNs - b.startNs || a.slice - b.slice);
  if (way < ways.length - 1) return steps;
  const counts = new Map<number, number>();
  return steps.map(step => {
    const number = counts.get(step.process) ?? 0;
    counts.set(step.process, number + 1);
    return {...step, number};
  });
}
