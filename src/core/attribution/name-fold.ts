import {foldName, numberless} from '../names/operator-name.js';
import {getOrAdd} from '../table/get-or-add.js';
import type {Trace} from '../trace/trace.js';

/** Which names make one row. */
export interface NameFold {
  /** Folded names whose rows are shown apart. */
  readonly unfolded: readonly string[];
  /** Also names of several ranges that differ by numbers alone: repeated layers, `layer_*`. */
  readonly layers?: boolean;
}

/** What ranges are called in rows: several names of a trace may be folded into one. */
export interface Naming {
  /** Index into the trace's strings → that of the first string with the same name in rows. */
  readonly nameOf: Int32Array | null;
  readonly textOf: (name: number) => string;
}

/** Names as they are, or folded where that is asked for. @param slices rows whose names are folded */
export function namingOf(trace: Trace, fold: NameFold | null | undefined, slices: Int32Array): Naming {
  return fold ? foldedNaming(trace, fold, slices) : plainNaming(trace);
}

/** The name that a name is one with in rows, both as indices into the trace's strings. */
export function nameInRows({nameOf}: Pick<Naming, 'nameOf'>, name: number): number {
  return nameOf?.[name] ?? name;
}

/** Every name as it is. */
export function plainNaming({strings}: Trace): Naming {
  return {nameOf: null, textOf: name => strings.get(name)};
}

/**
 * One row for names that a tool has numbered (`foldName`), and for those of layers where that is asked for.
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

/** What rows are called that several names are folded into. @param slices rows whose names are folded */
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

/** Gives texts that differ by numbers alone one text, but for those that are to stay apart. */
function foldLayers(texts: Map<number, string>, unfolded: ReadonlySet<string>): void {
  const alike = new Map<string, Set<string>>();
  for (const text of texts.values()) getOrAdd(alike, numberless(text), () => new Set()).add(text);
  for (const [name, text] of texts) {
    const pattern = numberless(text);
    if ((alike.get(pattern)?.size ?? 0) > 1 && !unfolded.has(pattern)) texts.set(name, pattern);
  }
}
