import {foldName, numberless} from '../names/operator-name.js';
import {getOrAdd} from '../table/get-or-add.js';
import type {Trace} from '../trace/trace.js';

/** The names that share one row. */
export interface NameFold {
  /** Folded names whose rows are shown separately. */
  readonly unfolded: readonly string[];
  /** Also fold names of several ranges that differ only by numbers: repeated layers, `layer_*`. */
  readonly layers?: boolean;
}

/** The names of ranges in rows: several names of a trace may be folded into one. */
export interface Naming {
  /** Index into the trace's strings → index of the first string with the same name in rows. */
  readonly nameOf: Int32Array | null;
  readonly textOf: (name: number) => string;
}

/** Returns the names unchanged, or folded if `fold` is given. @param slices rows whose names are folded */
export function namingOf(trace: Trace, fold: NameFold | null | undefined, slices: Int32Array): Naming {
  return fold ? foldedNaming(trace, fold, slices) : plainNaming(trace);
}

/** Returns the name that stands for a name in rows; both are indices into the trace's strings. */
export function nameInRows({nameOf}: Pick<Naming, 'nameOf'>, name: number): number {
  return nameOf?.[name] ?? name;
}

/** Returns every name unchanged. */
export function plainNaming({strings}: Trace): Naming {
  return {nameOf: null, textOf: name => strings.get(name)};
}

/**
 * Folds names that a tool has numbered (`foldName`) into one row, and names of layers if requested.
 *
 * @param slices rows of the slices table whose names are folded
 */
export function foldedNaming({strings, slices: {name: nameAt}}: Trace, fold: NameFold, slices: Int32Array): Naming {
  const unfolded = new Set(fold.unfolded);
  const texts = new Map<number, string>();
  for (const row of slices) getOrAdd(texts, nameAt[row], () => foldName(strings.get(nameAt[row])));
  if (fold.layers === true) foldLayers(texts, unfolded);
  const nameOf = new Int32Array(strings.length).fill(-1);
  const firstOf = new Map<string, number>();
  for (const [name, folded] of texts) {
    const text = unfolded.has(folded) ? strings.get(name) : folded;
    texts.set(name, text);
    nameOf[name] = getOrAdd(firstOf, text, () => name);
  }
  return {nameOf, textOf: name => texts.get(name) ?? strings.get(name)};
}

/** Returns the names of rows that several names are folded into. @param slices rows whose names are folded */
export function foldedTexts(trace: Trace, fold: NameFold, slices: Int32Array): ReadonlySet<string> {
  const {textOf} = foldedNaming(trace, fold, slices);
  const nameOfText = new Map<string, number>();
  const folded = new Set<string>();
  for (const name of new Set(slices.map(row => trace.slices.name[row]))) {
    const text = textOf(name);
    if (getOrAdd(nameOfText, text, () => name) !== name) folded.add(text);
  }
  return folded;
}

/** Gives texts that differ only by numbers the same text, except for those in `unfolded`. */
function foldLayers(texts: Map<number, string>, unfolded: ReadonlySet<string>): void {
  const alike = new Map<string, Set<string>>();
  for (const text of texts.values()) getOrAdd(alike, numberless(text), () => new Set()).add(text);
  for (const [name, text] of texts) {
    const pattern = numberless(text);
    if ((alike.get(pattern)?.size ?? 0) > 1 && !unfolded.has(pattern)) texts.set(name, pattern);
  }
}
