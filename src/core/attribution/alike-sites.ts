import {PairIndex} from '../table/pair-index.js';
import {TableBuilder} from '../table/table.js';
import type {Attribution} from './attribute.js';
import {StackTreeBuilder, type StackTree} from './open-ranges.js';
import {mostPaths} from './path-sums.js';

/** The distinct kinds of launching sites: those of a kind count their work in the same paths. */
export interface SiteKinds extends Pick<Attribution, 'own' | 'overlay' | 'credit'> {
  readonly kinds: number;
  /** Site → kind. */
  readonly kindOf: Uint16Array;
}

/** The distinct stacks of paths. */
export class AlikeStacks {
  readonly #tree = new StackTreeBuilder();
  readonly #nodeOf = new PairIndex();
  /** Path → the stack that was found last with it on top. */
  readonly #last = new Int32Array(mostPaths).fill(-1);

  get length(): number {
    return this.#tree.soFar().length;
  }

  /** Returns stack of ranges → stack of paths. */
  of({length, range, parent}: StackTree, pathOf: Uint16Array): Int32Array {
    const found = new Int32Array(length);
    const last = this.#last;
    let parentOf = this.#tree.soFar().parent;
    for (let node = 0; node < length; node++) {
      const around = parent[node] < 0 ? -1 : found[parent[node]];
      const path = pathOf[range[node]];
      if (last[path] < 0 || parentOf[last[path]] !== around) {
        last[path] = this.#find(around, path);
        parentOf = this.#tree.soFar().parent;
      }
      found[node] = last[path];
    }
    return found;
  }

  finish(): StackTree {
    return this.#tree.finish();
  }

  #find(around: number, path: number): number {
    let node = this.#nodeOf.get(around, path);
    if (node < 0) this.#nodeOf.set(around, path, (node = this.#tree.add(path, around)));
    return node;
  }
}

const kindSchema = {
  own: 'i32',
  overlay: 'i32',
  forwardSlice: 'i32',
  forward: 'i32',
  range: 'i32',
  flags: 'u8',
} as const;

/**
 * Returns the distinct kinds of sites; null if there are too many.
 *
 * @param nodeOf stack of ranges → stack of paths, of which there are `nodes`
 */
export function kindsOfSites(
  {own, overlay, credit}: Attribution,
  pathOf: Uint16Array,
  nodeOf: Int32Array,
  nodes: number,
): SiteKinds | null {
  const kindOf = new Uint16Array(own.length);
  const table = new KindTable();
  /** Stack of paths → the kind that was found last with it. Most sites are of the same kind as the one before. */
  const last = new Int32Array(nodes + 1).fill(-1);
  // One object, reused for all sites.
  const site: SiteFacts = {own: -1, overlay: -1, forwardSlice: -1, forward: -1, range: -1, flags: 0};
  for (let at = 0; at < own.length; at++) {
    site.own = valueAt(nodeOf, own[at]);
    site.overlay = valueAt(nodeOf, overlay[at]);
    site.forward = valueAt(nodeOf, credit.forward[at]);
    site.forwardSlice = credit.forwardSlice[at] < 0 ? -1 : 0;
    site.range = valueAt(pathOf, credit.range[at]);
    site.flags = credit.flags[at];
    const place = (site.forward < 0 ? site.own : site.forward) + 1;
    if (!table.isOf(last[place], site)) last[place] = table.kindOf(site);
    if (last[place] === mostPaths) return null;
    kindOf[at] = last[place];
  }
  return {...table.finish(), kindOf};
}

/** Returns the value at a place; a negative place stands for itself. */
function valueAt(values: Int32Array | Uint16Array, place: number): number {
  return place < 0 ? place : values[place];
}

type SiteFacts = {-readonly [K in keyof typeof kindSchema]: number};

/** Numbers the kinds of sites. */
class KindTable {
  readonly #table = new TableBuilder(kindSchema, 64);
  readonly #byStacks = new PairIndex();
  readonly #byForward = new PairIndex();
  readonly #byCredit = new PairIndex();
  #columns = this.#table.columns;

  /** Returns whether a site is of a kind; false for kind -1. */
  isOf(kind: number, site: Readonly<SiteFacts>): boolean {
    const {own, overlay, forwardSlice, forward, range, flags} = this.#columns;
    return (
      kind >= 0 &&
      own[kind] === site.own &&
      overlay[kind] === site.overlay &&
      forward[kind] === site.forward &&
      forwardSlice[kind] === site.forwardSlice &&
      range[kind] === site.range &&
      flags[kind] === site.flags
    );
  }

  /** Returns the kind of a site, which is added if it is new. */
  kindOf(site: Readonly<SiteFacts>): number {
    const stacks = numberOf(this.#byStacks, site.own, site.overlay + 1);
    const passes = numberOf(this.#byForward, stacks, (site.forward + 1) * 2 + site.forwardSlice + 1);
    const kind = numberOf(this.#byCredit, passes, (site.range + 2) * 256 + site.flags);
    if (kind === this.#table.length) {
      this.#table.push(site);
      this.#columns = this.#table.columns;
    }
    return kind;
  }

  finish(): Omit<SiteKinds, 'kindOf'> {
    const {own, overlay, length: kinds, ...credit} = this.#table.finish();
    return {own, overlay, credit, kinds};
  }
}

/** Returns the number of a pair, counted from 0. */
function numberOf(index: PairIndex, first: number, second: number): number {
  let number = index.get(first, second);
  if (number < 0) index.set(first, second, (number = index.length));
  return number;
}
