import {getOrAdd} from '../table/get-or-add.js';
import type {LaunchedInCall, OperatorCalls} from './launched-places.js';
import type {WorkEntry} from '../gpu-work/work-entry.js';

/** What two runs launched from one place, of the kernels to be matched: name → number of launches. */
export interface SharedPlace {
  readonly operator: string;
  readonly base: ReadonlyMap<string, number>;
  readonly changed: ReadonlyMap<string, number>;
}

/** The kernels that are to be matched. */
export interface Unmatched {
  readonly base: ReadonlySet<WorkEntry>;
  readonly changed: ReadonlySet<WorkEntry>;
}

/** Returns the places from which both runs launched kernels that are to be matched. */
export function sharedPlaces(
  before: ReadonlyMap<string, OperatorCalls>,
  after: ReadonlyMap<string, OperatorCalls>,
  unmatched: Unmatched,
): SharedPlace[] {
  const wanted = {
    base: new Set([...unmatched.base].map(({path}) => path)),
    changed: new Set([...unmatched.changed].map(({path}) => path)),
  };
  const shared: SharedPlace[] = [];
  for (const [key, one] of before) {
    const other = after.get(key);
    if (other === undefined) continue;
    for (const [ofBase, ofChanged] of sameCalls(one, other)) {
      for (const [kind, launched] of ofBase) {
        const counterpart = ofChanged.get(kind);
        if (counterpart !== undefined) addPlaces(one.operator, launched, counterpart);
      }
    }
  }
  return shared;

  function addPlaces(operator: string, one: LaunchedInCall, other: LaunchedInCall): void {
    if (one.perCall !== null && one.perCall === other.perCall) {
      for (const [place, names] of one.places) add(operator, [names], [other.places.get(place) ?? new Map()], true);
    } else add(operator, [...one.places.values()], [...other.places.values()], false);
  }

  function add(operator: string, ofBase: Names, ofChanged: Names, isSamePlace: boolean): void {
    const [base, changed] = [merged(ofBase, wanted.base), merged(ofChanged, wanted.changed)];
    if (base.size === 0 || changed.size === 0) return;
    // Calls that launch other numbers of kernels do not tell which of several became which.
    if (isSamePlace || base.size === 1 || changed.size === 1) shared.push({operator, base, changed});
  }
}

type Names = readonly ReadonlyMap<string, number>[];
type Launched = OperatorCalls['calls'] extends ReadonlyMap<number, infer Kinds> ? Kinds : never;

/** Returns the calls that are at the same place of both runs; all together if the runs have other numbers of them. */
function sameCalls(one: OperatorCalls, other: OperatorCalls): (readonly [Launched, Launched])[] {
  if (one.perInstance === null || one.perInstance !== other.perInstance) {
    return [[together(one), together(other)]];
  }
  return [...one.calls].flatMap(([place, launched]) => {
    const counterpart = other.calls.get(place);
    return counterpart === undefined ? [] : [[launched, counterpart] as const];
  });
}

/** Returns what all calls of an operator launched, as if they were at one place. */
function together({calls}: OperatorCalls): Launched {
  const ofKind = new Map<number, LaunchedInCall[]>();
  for (const kinds of calls.values()) {
    for (const [kind, launched] of kinds) getOrAdd(ofKind, kind, () => []).push(launched);
  }
  return new Map(
    [...ofKind].map(([kind, all]) => {
      const perCall = all.every(one => one.perCall === all[0].perCall) ? all[0].perCall : null;
      const places = new Set(all.flatMap(one => [...one.places.keys()]));
      const mergedAt = (place: number) =>
        merged(
          all.flatMap(one => one.places.get(place) ?? []),
          null,
        );
      return [kind, {perCall, places: new Map([...places].map(place => [place, mergedAt(place)]))}];
    }),
  );
}

/** Sums launches by name. @param wanted the names to keep; all if null */
function merged(all: Names, wanted: ReadonlySet<string> | null): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const names of all) {
    for (const [name, times] of names) {
      if (wanted === null || wanted.has(name)) sums.set(name, (sums.get(name) ?? 0) + times);
    }
  }
  return sums;
}
