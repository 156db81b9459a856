import type {Groups} from './group-statistics.js';

/**
 * Numbers texts from 0 in the order they come, and remembers them: a group of each text.
 *
 * `byName` keeps the text of each name of a trace, so that a text is made once a name and not once a row.
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

  /** The same by number, where `textOf` gives a number's text. */
  byNumber(length: number, textOf: (number: number) => string): (number: number) => number {
    const known = new Int32Array(length).fill(-1);
    return number => {
      if (known[number] < 0) known[number] = this.index(textOf(number));
      return known[number];
    };
  }
}

/**
 * Numbers the combinations of several group numbers from 0 in the order they come.
 *
 * `keys` are columns of equal length; a row with -1 in the first of them is in no group.
 */
export function combineGroups(keys: readonly Int32Array[]): Groups & {readonly firstRow: number[]} {
  const [first = new Int32Array(0), ...others] = keys;
  let groups = renumber(first, first, 1);
  for (const key of others) {
    let most = 0;
    for (const value of key) if (value >= most) most = value + 1;
    groups = renumber(groups.groupOf, key, most + 1);
  }
  return groups;
}

/** Groups of (a, b); b may be -1, which is a value like any other. */
function renumber(a: Int32Array, b: Int32Array, base: number): Groups & {firstRow: number[]} {
  const groupOf = new Int32Array(a.length).fill(-1);
  const firstRow: number[] = [];
  const known = new Map<number, number>();
  let lastKey = -1;
  let lastGroup = -1;
  for (let i = 0; i < a.length; i++) {
    if (a[i] < 0) continue;
    const key = base === 1 ? a[i] : a[i] * base + b[i] + 1;
    if (key !== lastKey) {
      lastKey = key;
      const group = known.get(key);
      if (group === undefined) known.set(key, (lastGroup = firstRow.push(i) - 1));
      else lastGroup = group;
    }
    groupOf[i] = lastGroup;
  }
  return {groupOf, length: firstRow.length, firstRow};
}
