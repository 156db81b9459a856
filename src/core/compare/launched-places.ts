import {getOrAdd} from '../table/get-or-add.js';
import type {WorkPart} from '../gpu-work/work-part.js';
import {operatorLaunches, type OperatorLaunches} from './operator-launches.js';

/** Operators are told apart by the ranges and operators around them, or by their own name alone. */
export type OperatorLevel = 'path' | 'name';

/** What calls of one operator launched of one kind of operation: kernels, copies or memsets. */
export interface LaunchedInCall {
  /** The number of operations that each call launched; null if calls differ. */
  readonly perCall: number | null;
  /** Place among the operations of the kind in the call → name of the operation → number of operations. */
  readonly places: ReadonlyMap<number, ReadonlyMap<string, number>>;
}

/** The calls of one operator that launched something. */
export interface OperatorCalls {
  readonly operator: string;
  /** Their number in each instance of the range around them, or each step; null if it differs, or is over 1,000. */
  readonly perInstance: number | null;
  /** Place of the call in its instance → kind of operation → what was launched. */
  readonly calls: ReadonlyMap<number, ReadonlyMap<number, LaunchedInCall>>;
}

/** In longer sequences, as those of a whole recording, the places of calls say little, and take seconds to compare. */
const mostCalls = 1000;

/** Which operators launched the operations of a part of a profile, and in which order. Computed when first asked. */
export class LaunchedPlaces {
  #launches: OperatorLaunches | null = null;

  constructor(private readonly part: WorkPart) {}

  /**
   * Returns the operators that launched something, by a text that tells them apart in any profile. Empty if no launch
   * has an operator around it, as in profiles of nsys.
   *
   * @throws TraceError `trace/too-many-open-ranges`
   */
  operators(level: OperatorLevel): ReadonlyMap<string, OperatorCalls> {
    this.#launches ??= operatorLaunches(this.part);
    const {launches, operators, rangePathOf} = this.#launches;
    const {slices, strings} = this.part.trace;
    const ranges = this.part.attribution.ranges.slice.length;
    const steps = Math.max(1, this.part.steps);
    const isByPath = level === 'path';
    const tallies = new Map<string, CallTally>();
    const tallyOf = new Map<number, CallTally>();
    for (let at = 0; at < launches.length; at++) {
      const [range, rangePath] = [launches.range[at], launches.rangePath[at]];
      const group = isByPath ? launches.operatorPath[at] : launches.operator[at];
      const tally = getOrAdd(tallyOf, isByPath ? (rangePath + 1) * operators.length + group : group, () => {
        const key = JSON.stringify([isByPath ? rangePathOf(rangePath) : '', operators.get(group)]);
        return getOrAdd(tallies, key, () => new CallTally(operators.get(launches.operator[at])));
      });
      // Threads are numbered after the instances of ranges.
      const within = isByPath && range >= 0 ? range : ranges + launches.track[at];
      const row = launches.operation[at];
      const name = strings.get(slices.name[row]);
      tally.add(within * steps + launches.step[at], launches.call[at], slices.kind[row], name, launches.times[at]);
    }
    return new Map([...tallies].map(([key, tally]) => [key, tally.finish()]));
  }
}

interface LaunchCounts {
  /** Call → the number of operations that it launched. */
  readonly ofCall: Map<number, number>;
  readonly places: Map<number, Map<string, number>>;
}

/** Counts the calls of one operator, and what they launched. */
class CallTally {
  readonly #callsOfInstance = new Map<number, number>();
  readonly #placeOfCall = new Map<number, number>();
  readonly #launched = new Map<number, Map<number, LaunchCounts>>();

  constructor(private readonly operator: string) {}

  /** Adds a launch; those of a call, and the calls of an instance, are added in the order of their times. */
  add(instance: number, call: number, kind: number, name: string, times: number): void {
    const placeOfCall = getOrAdd(this.#placeOfCall, call, () =>
      Math.min(mostCalls, addOne(this.#callsOfInstance, instance)),
    );
    const ofPlace = getOrAdd(this.#launched, placeOfCall, () => new Map<number, LaunchCounts>());
    const {ofCall, places} = getOrAdd(ofPlace, kind, (): LaunchCounts => ({ofCall: new Map(), places: new Map()}));
    const names = getOrAdd(places, addOne(ofCall, call), () => new Map<string, number>());
    names.set(name, (names.get(name) ?? 0) + times);
  }

  finish(): OperatorCalls {
    const inCall = ({ofCall, places}: LaunchCounts): LaunchedInCall => ({perCall: common(ofCall.values()), places});
    const perInstance = common(this.#callsOfInstance.values());
    return {
      operator: this.operator,
      perInstance: perInstance !== null && perInstance <= mostCalls ? perInstance : null,
      calls: new Map(
        [...this.#launched].map(([place, kinds]) => [
          place,
          new Map([...kinds].map(([kind, counts]) => [kind, inCall(counts)])),
        ]),
      ),
    };
  }
}

/** Counts one more of a key, and returns how many there were before. */
function addOne(counts: Map<number, number>, key: number): number {
  const before = counts.get(key) ?? 0;
  counts.set(key, before + 1);
  return before;
}

/** Returns the number that all are; null if they differ. */
function common(numbers: Iterable<number>): number | null {
  const distinct = new Set(numbers);
  return distinct.size === 1 ? [...distinct][0] : null;
}
