import type {LaunchedPlaces, OperatorLevel} from './launched-places.js';
import {linkedKernels} from './linked-kernels.js';
import type {WorkEntry} from '../gpu-work/work-entry.js';
import {sharedPlaces, type SharedPlace} from './shared-places.js';

/** Kernels that the same operators launched. */
export interface LaunchMatch {
  /** `aten::mm (same operator)`; the same whichever run is the base, and of no other match. */
  readonly path: string;
  /** Whether the operators have the same path, and one side has a single kernel. */
  readonly isSure: boolean;
  readonly base: readonly WorkEntry[];
  readonly changed: readonly WorkEntry[];
}

const levels: readonly OperatorLevel[] = ['path', 'name'];
/** The operators that a row names. */
const mostNamed = 3;

/**
 * Matches kernels by the operators that launched them: by the operators' paths, then, of what is left, by their names.
 *
 * @param base the kernels of the base that the changed run lacks
 * @param changed the kernels of the changed run that the base lacks
 * @throws TraceError `trace/too-many-open-ranges`
 * @see docs/metrics.md#same-operator
 */
export function matchLaunches(
  base: readonly WorkEntry[],
  changed: readonly WorkEntry[],
  [before, after]: readonly [LaunchedPlaces, LaunchedPlaces],
): LaunchMatch[] {
  const found: NumberedMatch[] = [];
  const left = {base: new Set(base), changed: new Set(changed)};
  for (const level of levels) {
    if (left.base.size === 0 || left.changed.size === 0) break;
    const places = sharedPlaces(before.operators(level), after.operators(level), left);
    for (const group of linkedKernels(places, left)) {
      const isSure = level === 'path' && (group.base.length === 1 || group.changed.length === 1);
      found.push({...group, isSure, operators: operatorsText(places, group)});
      for (const entry of group.base) left.base.delete(entry);
      for (const entry of group.changed) left.changed.delete(entry);
    }
  }
  return numbered(found);
}

interface NumberedMatch extends Omit<LaunchMatch, 'path'> {
  readonly operators: string;
}

/** Numbers matches of the same operators, in an order that does not depend on which run is the base. */
function numbered(matches: readonly NumberedMatch[]): LaunchMatch[] {
  const keyOf = ({base, changed}: NumberedMatch) => JSON.stringify([...base, ...changed].map(({path}) => path).sort());
  const sorted = [...matches].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  const counts = new Map<string, number>();
  return sorted.map(({operators, ...match}) => {
    const place = (counts.get(operators) ?? 0) + 1;
    counts.set(operators, place);
    return {path: `${operators} (same operator${place === 1 ? '' : `, ${String(place)}`})`, ...match};
  });
}

/** The names of the operators that launched a match's kernels, the most frequent first. */
function operatorsText(places: readonly SharedPlace[], match: Pick<LaunchMatch, 'base' | 'changed'>): string {
  const launches = new Map<string, number>();
  for (const place of places) {
    const timesOf = (side: 'base' | 'changed') =>
      match[side].reduce((sum, {path}) => sum + (place[side].get(path) ?? 0), 0);
    const [ofBase, ofChanged] = [timesOf('base'), timesOf('changed')];
    if (ofBase === 0 || ofChanged === 0) continue;
    launches.set(place.operator, (launches.get(place.operator) ?? 0) + ofBase + ofChanged);
  }
  const names = [...launches].sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1)).map(([name]) => name);
  const more = names.length - mostNamed;
  return more > 0 ? `${names.slice(0, mostNamed).join(', ')} and ${String(more)} more` : names.join(', ');
}
