import {numberless} from '../names/operator-name.js';
import {getOrAdd} from '../table/get-or-add.js';
import {kernelFamily} from '../names/kernel-family.js';
import type {LaunchedPlaces} from './launched-places.js';
import {matchLaunches} from './match-launches.js';
import type {WorkEntry} from '../gpu-work/work-entry.js';
import type {WorkKind} from '../gpu-work/work-groups.js';

/**
 * How the two sides of a row were matched. Operators with recorded shapes: by name and `shapes`, by name and place in the
 * `sequence` of first calls, or by `name` alone. Kernels of other names: by the `operator` that launched them; by the
 * `operator-name` where the operators are elsewhere, or which of several kernels became which is not known.
 *
 * @see docs/metrics.md#same-operator
 */
export type MatchedBy = 'path' | 'shapes' | 'sequence' | 'name' | 'operator' | 'operator-name' | 'family';

/** One row of a comparison before its figures: its name, and its entries on both sides. */
export interface MatchedEntry {
  readonly path: string;
  /** Null if the row has no partner on the other side. */
  readonly matchedBy: MatchedBy | null;
  /** Several if they are in one family; empty if there are none. */
  readonly base: readonly WorkEntry[];
  readonly changed: readonly WorkEntry[];
}

/**
 * Returns the rows of two runs, each entry in exactly one. Entries with equal paths share a row. Of the others, ranges
 * and modules are matched by their innermost name, operators by their name without numbers, and kernels by the operators
 * that launched them, then by family.
 *
 * The rows do not depend on which run is the base.
 *
 * @param launched what operators of the base and of the changed run launched; null if that is unknown
 * @throws TraceError `trace/too-many-open-ranges`
 */
export function matchEntries(
  kind: WorkKind,
  base: readonly WorkEntry[],
  changed: readonly WorkEntry[],
  launched: readonly [LaunchedPlaces, LaunchedPlaces] | null,
): readonly MatchedEntry[] {
  const ofChanged = new Map(changed.map(entry => [entry.path, entry]));
  const ofBase = new Set(base.map(({path}) => path));
  const rows: MatchedEntry[] = [];
  const gone: WorkEntry[] = [];
  const left = new Map<string, {base: WorkEntry[]; changed: WorkEntry[]}>();
  const leave = (side: 'base' | 'changed', entry: WorkEntry) => {
    const key = entry.isBucket ? entry.path : looseKey(kind, entry);
    getOrAdd(left, key, () => ({base: [], changed: []}))[side].push(entry);
  };
  for (const entry of base) {
    const partner = ofChanged.get(entry.path);
    if (!partner) gone.push(entry);
    else rows.push({path: entry.path, matchedBy: exactly(kind, entry), base: [entry], changed: [partner]});
  }
  const added = changed.filter(({path}) => !ofBase.has(path));
  const launches = kind === 'kernel' && launched !== null ? matchLaunches(gone, added, launched) : [];
  const known = new Set(launches.flatMap(match => [...match.base, ...match.changed]));
  for (const {isSure, ...match} of launches) rows.push({...match, matchedBy: isSure ? 'operator' : 'operator-name'});
  for (const entry of gone) if (!known.has(entry)) leave('base', entry);
  for (const entry of added) if (!known.has(entry)) leave('changed', entry);
  return [...rows, ...[...left].flatMap(([key, sides]) => shapedRows(kind, key, sides))];
}

function exactly(kind: WorkKind, {isBucket, shapes}: WorkEntry): MatchedBy {
  if (shapes !== undefined) return 'shapes';
  return !isBucket && isByPath(kind) ? 'path' : 'name';
}

function isByPath(kind: WorkKind): boolean {
  return kind === 'range' || kind === 'module';
}

function looseKey(kind: WorkKind, {name}: WorkEntry): string {
  if (isByPath(kind)) return name;
  if (kind === 'class') return name;
  return kind === 'op' ? numberless(name) : kernelFamily(name);
}

interface Sides {
  readonly base: readonly WorkEntry[];
  readonly changed: readonly WorkEntry[];
}

/** Matches operators without a partner of the same shapes by name, and the remaining entries as all others. */
function shapedRows(kind: WorkKind, key: string, sides: Sides): MatchedEntry[] {
  const ofName = new Map<string, {base: WorkEntry[]; changed: WorkEntry[]}>();
  for (const side of ['base', 'changed'] as const) {
    for (const entry of sides[side]) {
      if (entry.shapes === undefined) continue;
      getOrAdd(ofName, entry.name, () => ({base: [], changed: []}))[side].push(entry);
    }
  }
  const rows = [...ofName].flatMap(([name, ofBoth]) => rowsOfName(name, ofBoth));
  const matched = new Set(rows.flatMap(({base, changed}) => [...base, ...changed]));
  const isLeft = (entry: WorkEntry) => !matched.has(entry);
  return [...rows, ...looseRows(kind, key, {base: sides.base.filter(isLeft), changed: sides.changed.filter(isLeft)})];
}

/** Entries are in the order of their first calls: equal numbers of them are taken for the same calls. */
function rowsOfName(name: string, {base, changed}: Sides): MatchedEntry[] {
  if (base.length === 0 || changed.length === 0) return [];
  if (base.length !== changed.length) return [{path: `${name} (other shapes)`, matchedBy: 'name', base, changed}];
  return base.map((entry, at) => ({
    ...{path: `${name} (other shapes, ${String(at + 1)})`, matchedBy: 'sequence'},
    ...{base: [entry], changed: [changed[at]]},
  }));
}

function looseRows(kind: WorkKind, key: string, {base, changed}: Sides): MatchedEntry[] {
  if (base.length > 0 && changed.length > 0) {
    // No entry has such a path, so the row has the same name whichever run is the base.
    const path = isByPath(kind) ? `…/${key}` : `${key} (family)`;
    return [{path, matchedBy: isByPath(kind) ? 'name' : 'family', base, changed}];
  }
  return [
    ...base.map(entry => ({path: entry.path, matchedBy: null, base: [entry], changed: []})),
    ...changed.map(entry => ({path: entry.path, matchedBy: null, base: [], changed: [entry]})),
  ];
}
