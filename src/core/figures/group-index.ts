import {release} from '../table/table.js';
import type {Groups} from './group-statistics.js';

/**
 * Numbers texts from 0 in the order in which they first come, so that each text is a group.
 *
 * `byNumber` remembers the group of each number, so that a text is made once per name and not once per row.
 */
export class TextGroups {
  readonly texts: string[] = [];
  readonly #indices = new Map<string, number>();

  index(text: string): number {
    let index = this.#indices.get(text);
    if (index === undefined) {
      index = this.texts.push(text) - 1;
      this.#indices.set(text, index);
    }
    return index;
  }

  /** Returns a function that does the same by number, where `textOf` gives a number's text. */
  byNumber(length: number, textOf: (number: number) => string): (number: number) => number {
    const known = new Int32Array(length).fill(-1);
    return number => {
      if (known[number] < 0) known[number] = this.index(textOf(number));
      return known[number];
    };
  }
}

/** Combinations are looked up in an array if there are at most this many possible ones. */
const mostInArray = 1 << 20;

/**
 * Numbers the combinations of several group numbers from 0 in the order in which they first come.
 *
 * `keys` are columns of equal length; a row with -1 in the first of them is in no group.
 */
export function combineGroups(keys: readonly Int32Array[]): Groups & {readonly firstRow: number[]} {
  const [first = new Int32Array(0), ...others] = keys;
  const [second = new Int32Array(first.length), ...more] = others;
  let groups = renumber({groupOf: first, length: extremes(first).most + 1}, second);
  for (const key of more) {
    const {groupOf} = groups;
    groups = renumber(groups, key);
    release(groupOf);
  }
  return groups;
}

/** Returns the groups of (a, b). Rows with -1 in `a` are in no group; every `b` is a value. */
function renumber({groupOf: a, length}: Groups, b: Int32Array): Groups & {firstRow: number[]} {
  const {least, most} = extremes(b);
  const base = most - least + 1;
  const groupOf = new Int32Array(a.length).fill(-1);
  const firstRow: number[] = [];
  const known = length * base <= mostInArray ? new Int32Array(length * base).fill(-1) : new Map<number, number>();
  for (let i = 0; i < a.length; i++) {
    if (a[i] < 0) continue;
    const key = a[i] * base + b[i] - least;
    let group = (known instanceof Map ? known.get(key) : known[key]) ?? -1;
    if (group < 0) {
      group = firstRow.push(i) - 1;
      if (known instanceof Map) known.set(key, group);
      else known[key] = group;
    }
    groupOf[i] = group;
  }
  return {groupOf, length: firstRow.length, firstRow};
}

function extremes(key: Int32Array): {least: number; most: number} {
  let least = 0;
  let most = 0;
  for (let i = 0; i < key.length; i++) {
    if (key[i] > most) most = key[i];
    if (key[i] < least) least = key[i];
  }
  return {least, most};
}
