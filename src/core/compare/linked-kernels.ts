import {getOrAdd} from '../table/get-or-add.js';
import type {WorkEntry} from '../gpu-work/work-entry.js';
import type {SharedPlace, Unmatched} from './shared-places.js';

/**
 * Returns the kernels that became each other: those that are linked, directly or through others.
 *
 * @see docs/metrics.md#same-operator
 */
export function linkedKernels(
  places: readonly SharedPlace[],
  unmatched: Unmatched,
): {readonly base: readonly WorkEntry[]; readonly changed: readonly WorkEntry[]}[] {
  const links = new Links(places);
  const partners = new Map<WorkEntry, WorkEntry[]>();
  const join = (one: WorkEntry, other: WorkEntry) => getOrAdd(partners, one, () => []).push(other);
  for (const base of unmatched.base) {
    for (const changed of unmatched.changed) {
      if (!links.areLinked(base, changed)) continue;
      join(base, changed);
      join(changed, base);
    }
  }
  const seen = new Set<WorkEntry>();
  return [...partners.keys()].flatMap(first => {
    if (seen.has(first)) return [];
    const group = new Set([first]);
    // A set's loop also visits what is added to it.
    for (const entry of group) for (const partner of partners.get(entry) ?? []) group.add(partner);
    for (const entry of group) seen.add(entry);
    const of = (side: ReadonlySet<WorkEntry>) => [...side].filter(entry => group.has(entry));
    return [{base: of(unmatched.base), changed: of(unmatched.changed)}];
  });
}

/** Which kernels of both runs are launched from shared places often enough. */
class Links {
  readonly #pairs = new Map<string, Map<string, {ofBase: number; ofChanged: number}>>();
  readonly #shared = {base: new Map<string, number>(), changed: new Map<string, number>()};

  constructor(places: readonly SharedPlace[]) {
    for (const {base, changed} of places) {
      for (const [name, times] of base) {
        this.#count('base', name, times);
        const ofBase = getOrAdd(this.#pairs, name, () => new Map<string, {ofBase: number; ofChanged: number}>());
        for (const [other, otherTimes] of changed) {
          const pair = getOrAdd(ofBase, other, () => ({ofBase: 0, ofChanged: 0}));
          pair.ofBase += times;
          pair.ofChanged += otherTimes;
        }
      }
      for (const [name, times] of changed) this.#count('changed', name, times);
    }
  }

  /** Returns whether half of the launches of each are from shared places, and half of those of either from each other's. */
  areLinked(base: WorkEntry, changed: WorkEntry): boolean {
    const pair = this.#pairs.get(base.path)?.get(changed.path);
    if (pair === undefined) return false;
    const isShared = (side: 'base' | 'changed', {path, count}: WorkEntry) =>
      2 * (this.#shared[side].get(path) ?? 0) >= count;
    return (
      isShared('base', base) &&
      isShared('changed', changed) &&
      (2 * pair.ofBase >= base.count || 2 * pair.ofChanged >= changed.count)
    );
  }

  #count(side: 'base' | 'changed', name: string, times: number): void {
    this.#shared[side].set(name, (this.#shared[side].get(name) ?? 0) + times);
  }
}
